//! What a closure is called, and what calls of one name or line have in common.

#[path = "support/script.rs"]
mod script;

use std::panic::Location;

use script::{Failure, OK, Outcome, Script, T, ms, row, secs};
use stormless::{
    Backoff, Breaker, Budget, Policy, Problem, RetryExt, StopReason, breaker, breakers, budget,
    budgets, control, sites, testing::isolated, verify, warnings,
};

budget! {
    static ORDERS: Budget = Budget::new("sites.orders").burst(10);
    static SHOWN: Budget = Budget::new("sites.shown").burst(10);
    static KEYED: Budget = Budget::new("sites.keyed-budget").burst(10);
    static OTHER: Budget = Budget::new("sites.other").burst(10);
}

/// Not in `budget!`: that a call names it is as good.
static PLAIN: Budget = Budget::new("sites.plain").burst(10);

breaker! {
    static GUARD: Breaker = Breaker::new("sites.guard");
    static SHOWN_GUARD: Breaker = Breaker::new("sites.shown-guard");
}

/// The same of a breaker.
static PLAIN_GUARD: Breaker = Breaker::new("sites.plain-guard");

const POLICY: Policy = Policy::new().attempts(2).base(ms(1)).max(ms(1)).backoff(Backoff::Fixed);

async fn fails() -> Outcome {
    T
}

/// The name of the site that the line above the call has.
#[track_caller]
fn line(before: u32) -> String {
    let here = Location::caller();
    format!("{}:{}", here.file(), here.line() - before)
}

fn names() -> Vec<String> {
    sites().iter().map(stormless::SiteRow::name).collect()
}

#[tokio::test(start_paused = true)]
async fn a_call_without_a_name_is_called_after_its_line() {
    isolated(async {
        assert_eq!(POLICY.run(fails).await, T);
        assert_eq!(row(&line(1)).failures(), 2);
        assert_eq!(fails.retry(POLICY).await, T);
        assert_eq!(row(&line(1)).failures(), 2);
        assert_eq!(POLICY.run_mut(fails).call().await, T);
        assert_eq!(row(&line(1)).failures(), 2);
        assert_eq!((|| T).retry_blocking(POLICY).call(), T);
        assert_eq!(row(&line(1)).failures(), 2);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn two_calls_in_one_line_are_told_apart_by_their_columns() {
    isolated(async {
        #[rustfmt::skip]
        let both = (POLICY.run(fails).await, POLICY.run(async || OK).await);
        let bare = line(1);
        assert_eq!(both, (T, OK));
        let of_line: Vec<_> = names().into_iter().filter(|name| name.starts_with(&bare)).collect();
        assert_eq!(of_line.len(), 2, "{of_line:?}");
        assert!(of_line.iter().all(|name| name.contains(&format!("@{bare}:"))), "{of_line:?}");
        let failures: u64 = of_line.iter().map(|name| row(name).failures()).sum();
        assert_eq!(failures, 2);
    })
    .await;
}

/// Calls through it are those of its callers' lines.
#[track_caller]
fn helper() -> impl Future<Output = Outcome> {
    POLICY.run(fails).into_future()
}

#[tokio::test(start_paused = true)]
async fn a_helper_can_pass_its_callers_line_on() {
    isolated(async {
        assert_eq!(helper().await, T);
        assert_eq!(row(&line(1)).failures(), 2);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn calls_of_one_name_share_a_row_wherever_they_stand_and_however_they_are_told() {
    isolated(async {
        let name = "sites.shared";
        assert_eq!(POLICY.run(fails).named(name).await, T);
        assert_eq!(POLICY.run(fails).named(name).no_budget().attempt_timeout(secs(1)).await, T);
        // The same text at another address.
        let again = String::from(name).leak();
        assert_eq!(POLICY.run(fails).named(again).breaker(&GUARD).deadline(secs(1)).await, T);
        let shared = names().into_iter().filter(|other| other.contains(name)).count();
        assert_eq!((shared, row(name).failures(), row(name).retries()), (1, 6, 3));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn calls_of_one_name_share_a_bucket_of_their_own() {
    isolated(async {
        for _ in 0..20 {
            assert_eq!(POLICY.run(fails).named("sites.own").await, T);
            assert_eq!(POLICY.run(fails).named("sites.own").uncut_deadline(secs(9)).await, T);
        }
        let row = row("sites.own");
        assert_eq!((row.retries(), row.stops(StopReason::BudgetExhausted)), (10, 30));
        assert_eq!(row.budget(), Some("(own)"));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn each_isolated_test_has_counters_and_buckets_of_its_own() {
    for _ in 0..3 {
        isolated(async {
            for _ in 0..10 {
                assert_eq!(POLICY.run(fails).named("sites.isolated").await, T);
            }
            assert_eq!(row("sites.isolated").retries(), 10, "the bucket starts full");
        })
        .await;
    }
}

#[tokio::test(start_paused = true)]
async fn tables_show_who_uses_what() {
    isolated(async {
        let _ = POLICY.run(fails).named("sites.one").budget(&SHOWN).breaker(&SHOWN_GUARD).await;
        let _ = POLICY.run(fails).named("sites.one").budget(&SHOWN).await;
        let _ = POLICY.run(fails).named("sites.one").budget(&OTHER).await;
        let _ = POLICY.run(fails).named("sites.two").budget("sites.shown").await;
        let _ =
            POLICY.run(fails).named("sites.two").budget(&PLAIN).breaker("sites.shown-guard").await;
        let _ = POLICY.run(fails).named("sites.three").breaker(&PLAIN_GUARD).await;
        let used_by = |name: &str| budgets().get(name).unwrap().sites().to_vec();
        assert_eq!(used_by("sites.shown"), ["sites.one", "sites.two"]);
        assert_eq!(used_by("sites.other"), ["sites.one"]);
        assert_eq!(used_by("sites.plain"), ["sites.two"]);
        assert!(!budgets().get("sites.plain").unwrap().is_implicit());
        let asked_by = |name: &str| breakers().get(name).unwrap().sites().to_vec();
        assert_eq!(asked_by("sites.shown-guard"), ["sites.one", "sites.two"]);
        assert_eq!(asked_by("sites.plain-guard"), ["sites.three"]);
        assert_eq!(
            (row("sites.one").budget(), row("sites.one").breaker()),
            (Some("sites.shown"), Some("sites.shown-guard"))
        );
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_budget_that_nobody_declared_is_never_silently_absent() {
    isolated(async {
        let _ = POLICY.run(fails).named("sites.typo").budget("sites.ordesr").await;
        let implicit = |problem: &Problem| {
            matches!(problem, Problem::ImplicitBudget { name, .. } if name == "sites.ordesr")
        };
        assert!(verify().unwrap_err().problems().iter().any(implicit));
        assert!(budgets().get("sites.ordesr (implicit)").is_none());
        assert!(budgets().get("sites.ordesr").unwrap().is_implicit());
        assert!(warnings().iter().any(|warning| warning.to_string().contains("sites.ordesr")));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_site_can_be_switched_off_once_it_was_called() {
    isolated(async {
        assert!(control::site("sites.unheard").is_err());
        let _ = POLICY.run(fails).named("sites.switched").await;
        control::site("sites.switched").unwrap().off();
        let script = Script::<Failure>::new([T]);
        let call = POLICY.run(async || script.body().await).named("sites.switched");
        assert_eq!((call.budget(&ORDERS).await, script.bodies()), (T, 1));
        assert_eq!(row("sites.switched").stops(StopReason::Disabled), 1);
        control::site("sites.switched").unwrap().on();
        assert_eq!(POLICY.run(fails).named("sites.switched").await, T);
        assert_eq!(row("sites.switched").retries(), 2);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_table_says_where_the_number_of_attempts_varies() {
    isolated(async {
        let cells = |name: &str| {
            let table = sites().to_string();
            let line = table.lines().find(|line| line.contains(name)).expect("it has a row");
            line.split_whitespace().take(2).map(str::to_owned).collect::<Vec<_>>()
        };
        let _ = POLICY.run(fails).named("sites.varying").await;
        assert_eq!(cells("sites.varying"), ["sites.varying", "2"]);
        let _ = POLICY.attempts(5).run(fails).named("sites.varying").await;
        assert_eq!(cells("sites.varying"), ["sites.varying", "varies"]);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn any_number_of_budgets_and_breakers_at_one_place_pay_and_refuse_each_for_itself() {
    isolated(async {
        for tenant in 0..100 {
            let budget =
                Budget::dynamic(format!("sites.tenant-{tenant}")).burst(1).declare().unwrap();
            let breaker = Breaker::dynamic(format!("sites.tenant-{tenant}")).declare().unwrap();
            let call = || POLICY.run(fails).named("sites.tenants").budget(budget).breaker(breaker);
            assert_eq!((call().await, call().await), (T, T));
            let stats = budgets().get(budget.name()).unwrap().budget().stats();
            assert_eq!((stats.withdrawn, stats.refused), (1, 1), "tenant {tenant}");
            breakers().get(breaker.name()).unwrap().breaker().open();
            assert_eq!(call().await, Err(Failure::Open), "tenant {tenant}");
            let name: &'static str = breaker.name();
            assert_eq!(
                POLICY.run(fails).named("sites.tenants").breaker(name).await,
                Err(Failure::Open)
            );
        }
        let row = row("sites.tenants");
        assert_eq!((row.retries(), row.failures()), (100, 300));
        assert_eq!(row.stops(StopReason::BreakerOpen), 200);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_key_has_a_bucket_under_the_budget() {
    isolated(async {
        let call =
            |host: &'static str| POLICY.run(fails).named("sites.keyed").budget_key(&KEYED, host);
        for _ in 0..3 {
            assert_eq!((call("one").await, call("two").await), (T, T));
        }
        assert_eq!(POLICY.run(fails).named("sites.keyed").budget(KEYED.keyed("one")).await, T);
        let orders = budgets().get("sites.keyed-budget").unwrap().budget();
        assert_eq!((orders.keys(), orders.stats().withdrawn), (2, 7));
        assert_eq!(budgets().get("sites.keyed-budget").unwrap().sites(), ["sites.keyed"]);
    })
    .await;
}
