//! The tables as JSON, key for key.

#[path = "support/bodies.rs"]
mod bodies;

use std::time::Duration;

use bodies::{Answer, Dependency, P, T, site};
use serde_json::{Value, json, to_string, to_value};
use stormless::{
    Breaker, Budget, Retryable, StopReason, breaker, breakers, budget, budgets,
    control::{self, Layer, Override, Overrides, Target},
    retry, sites,
    testing::isolated,
};

budget! { static ORDERS: Budget = Budget::new("orders").burst(2).ratio(0.5); }
breaker! { static GUARD: Breaker = Breaker::new("guard").consecutive(2); }

#[derive(Debug, Retryable)]
enum Refused {
    #[retryable(transient)]
    Down,
    #[retryable(breaker_open)]
    Open,
}

#[retry(attempts = 3, backoff = "fixed", base = "1s", budget = ORDERS, attempt_timeout = "250ms",
    max_retry_after = "1s", name = "fetch")]
async fn fetch(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(attempts = 1, breaker = GUARD, name = "guarded")]
async fn guarded() -> Result<(), Refused> {
    Err(Refused::Down)
}

fn stops(counted: &[(StopReason, u64)]) -> Value {
    let count = |reason: &StopReason| {
        counted.iter().find(|(known, _)| known == reason).map_or(0, |(_, count)| *count)
    };
    let all = StopReason::ALL.iter();
    Value::Object(all.map(|reason| (reason.label().to_owned(), count(reason).into())).collect())
}

#[tokio::test(start_paused = true)]
async fn a_function_has_these_keys() {
    isolated(async {
        control::count_successes(true);
        assert_eq!(fetch(&Dependency::script([Ok(())])).await, Ok(()));
        assert_eq!(fetch(&Dependency::script([Err(T), Ok(())])).await, Ok(()));
        assert_eq!(fetch(&Dependency::dead()).await, Err(T));
        assert_eq!(fetch(&Dependency::script([Err(P)])).await, Err(P));
        let all = to_value(sites()).expect("it is data");
        let (refused, permanent) = (StopReason::BudgetExhausted, StopReason::Permanent);
        assert_eq!(
            all[0],
            json!({
                "site": "fetch",
                "file": file!(),
                "line": site("fetch").place().1,
                "policy": "3 attempts, fixed 1s, attempt_timeout 250ms",
                "overrides": [],
                "varies": false,
                "max_attempts": 3,
                "longest_call": { "seconds": 2.75, "seconds_with_hints": 4.75, "unbounded": null },
                "budget": "orders",
                "own_balance": null,
                "breaker": null,
                "off": false,
                "counts_successes": true,
                "calls": 4,
                "outcomes": {
                    "success": 1,
                    "success_after_retry": 1,
                    "failure": 1,
                    "failure_after_retry": 1,
                },
                "attempts": 6,
                "failures": 4,
                "retries": 2,
                "hedges": 0,
                "stops": stops(&[(refused, 1), (permanent, 1)]),
                "errors": [
                    { "error": "T", "kind": "transient", "failures": 3,
                        "stops": { "budget_exhausted": 1 } },
                    { "error": "P", "kind": "permanent", "failures": 1, "stops": { "permanent": 1 } },
                ],
                "lost_to_nesting": 0,
                "uncut": 0,
                "panics": 0,
                "hook_panics": 0,
                "blocks_runtime": false,
            })
        );
        let other = &all[1];
        assert_eq!((&other["site"], &other["breaker"]), (&json!("guarded"), &json!("guard")));
        assert_eq!((&other["budget"], &other["own_balance"]), (&json!("(own)"), &json!(10.0)));
        let unbounded = other["longest_call"]["unbounded"].as_str();
        assert!(unbounded.is_some_and(|why| why.contains("`attempt_timeout`")), "{other}");
        // In this order, for whoever reads the text.
        let text = to_string(&sites()).expect("it is data");
        assert!(text.starts_with(r#"[{"site":"fetch","file":"#), "{text}");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn what_is_not_counted_is_null_and_no_zero() {
    isolated(async {
        assert_eq!(fetch(&Dependency::script([Ok(())])).await, Ok(()));
        assert_eq!(fetch(&Dependency::script([Err(T), Ok(())])).await, Ok(()));
        let row = &to_value(sites()).expect("it is data")[0];
        assert_eq!(row["counts_successes"], false);
        for unknown in [&row["calls"], &row["attempts"], &row["outcomes"]["success"]] {
            assert_eq!(unknown, &Value::Null, "{row}");
        }
        assert_eq!(row["outcomes"]["success_after_retry"], 1);
        assert_eq!(row["failures"], 1);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_budget_has_these_keys() {
    isolated(async {
        assert_eq!(fetch(&Dependency::dead()).await, Err(T));
        assert_eq!(fetch(&Dependency::dead()).await, Err(T));
        let table = budgets().for_processes(3);
        let bound = table.get("orders").expect("it is declared").bound().to_string();
        assert_eq!(
            to_value(&table).expect("it is data"),
            json!([{
                "budget": "orders",
                "kind": "token_bucket",
                "settings": "`burst` 2 and `ratio` 0.5",
                "declared": "`burst` 2 and `ratio` 0.5",
                "overrides": [],
                "parent": null,
                "implicit": false,
                "observing": false,
                "off": false,
                "sites": ["fetch"],
                "balance": 0.0,
                "capacity": 2.0,
                "next_retry": { "by": "answers", "calls": 2, "seconds": null },
                "withdrawn": 2,
                "refused": 1,
                "given_back": 0,
                "would_refuse": 0,
                "shed": 0,
                "by_floor": 0,
                "processes": 3,
                "bound": bound,
                "burst": 6.0,
                "steady_share": 0.5,
                "per_second": 0.0,
                "worst_amplification": 1.5,
            }])
        );
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_breaker_has_these_keys() {
    isolated(async {
        for _ in 0..3 {
            guarded().await.unwrap_err();
        }
        assert_eq!(
            to_value(breakers()).expect("it is data"),
            json!([{
                "breaker": "guard",
                "state": "open",
                "opens_in": 30.0,
                "settings": GUARD.settings().to_string(),
                "declared": GUARD.settings().to_string(),
                "overrides": [],
                "implicit": false,
                "sites": ["guarded"],
                "opened": 1,
                "successes": null,
                "failures": 2,
                "timeouts": 0,
                "slow": 0,
                "rejected": 1,
                "cancelled": 0,
                "ignored": 0,
                "late": 0,
            }])
        );
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn overrides_have_these_keys() {
    isolated(async {
        assert_eq!(
            to_value(control::overrides()).expect("it is data"),
            json!({ "shutting_down": false, "refused": [], "overrides": [] })
        );
        let about = |target| Override::new(target).note("INC-4711");
        let document = [
            about(Target::SitesOf("orders".into())).set("attempts", 2).unwrap(),
            about(Target::Budget("order".into())).set("ratio", 0.25).unwrap(),
        ];
        control::apply(Layer::File, Overrides::from_iter(document)).unwrap();
        let more = Override::new(Target::All).set("stop", ["T"]).unwrap();
        let more = more.set("idempotent", true).unwrap().set("attempt_timeout", "1s").unwrap();
        control::set(more.expires_in(Duration::from_secs(60))).unwrap();
        let reason = control::overrides().iter().last().unwrap().left_out().next().unwrap().2;
        assert_eq!(
            to_value(control::overrides()).expect("it is data"),
            json!({
                "shutting_down": false,
                "refused": [],
                "overrides": [
                    {
                        "target": "sites_of_budget",
                        "name": "orders",
                        "layer": "file",
                        "settings": { "attempts": 2 },
                        "note": "INC-4711",
                        "expires_in": null,
                        "sites": ["fetch"],
                        "left_out": [],
                        "pending": false,
                        "nearest": null,
                    },
                    {
                        "target": "budget",
                        "name": "order",
                        "layer": "file",
                        "settings": { "ratio": 0.25 },
                        "note": "INC-4711",
                        "expires_in": null,
                        "sites": [],
                        "left_out": [],
                        "pending": true,
                        "nearest": "orders",
                    },
                    {
                        "target": "all",
                        "name": null,
                        "layer": "code",
                        "settings": { "stop": ["T"], "idempotent": true, "attempt_timeout": "1s" },
                        "note": null,
                        "expires_in": 60.0,
                        "sites": ["fetch", "guarded"],
                        "left_out": [
                            { "site": "guarded", "key": "attempt_timeout", "reason": reason },
                        ],
                        "pending": false,
                        "nearest": null,
                    },
                ],
            })
        );
        let all = to_value(sites()).expect("it is data");
        assert_eq!(all[0]["max_attempts"], json!(2));
        assert_eq!(
            all[0]["overrides"],
            json!([
                {
                    "target": "all",
                    "name": null,
                    "layer": "code",
                    "settings": { "stop": ["T"], "idempotent": true, "attempt_timeout": "1s" },
                    "note": null,
                    "expires_in": 60.0,
                },
                {
                    "target": "sites_of_budget",
                    "name": "orders",
                    "layer": "file",
                    "settings": { "attempts": 2 },
                    "note": "INC-4711",
                    "expires_in": null,
                },
            ])
        );
        // Who cannot honour a key does not go by it.
        let settings = &all[1]["overrides"][0]["settings"];
        assert_eq!(*settings, json!({ "stop": ["T"], "idempotent": true }));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_budget_has_the_numbers_in_force_and_those_that_were_declared() {
    isolated(async {
        let fewer = Override::new(Target::Budget("orders".into())).set("burst", 1).unwrap();
        control::set(fewer).unwrap();
        control::shutdown();
        let row = &to_value(budgets()).expect("it is data")[0];
        assert_eq!(row["settings"], "`burst` 1 and `ratio` 0.5");
        assert_eq!(row["declared"], "`burst` 2 and `ratio` 0.5");
        assert_eq!(row["overrides"][0]["settings"], json!({ "burst": 1 }));
        assert_eq!(
            to_value(control::overrides()).expect("it is data")["shutting_down"],
            json!(true)
        );
    })
    .await;
}
