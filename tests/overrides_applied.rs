//! Overrides in force: whom they reach, who wins, when they are over, and what is refused.

#[path = "support/bodies.rs"]
mod bodies;

use std::time::Duration;

use bodies::{Answer, Dependency, Failure, T, site};
use stormless::{
    Budget, Cut, Policy, RetryError, What, budget,
    control::{self, Change, Layer, Override, OverrideRow, Overrides, Target},
    retry,
    testing::{self, isolated},
};
use tokio::time::sleep;

budget! { static ORDERS: Budget = Budget::new("applied.orders"); }

#[retry(base = "1s", max = "20s", budget = ORDERS, name = "applied.fetch")]
async fn fetch(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(deadline = "5s", budget = ORDERS, uncut, name = "applied.store")]
async fn store(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(budget = none, name = "applied.explained")]
async fn explained(dependency: &Dependency) -> Result<(), RetryError<Failure>> {
    dependency.answer()
}

#[retry(budget = none, cut_error = |_: Cut| T, name = "applied.cut_error")]
async fn with_cut_error(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(attempts = 1, budget = none, name = "applied.single")]
async fn single(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(blocking, budget = none, name = "applied.blocking")]
fn blocking(dependency: &Dependency) -> Result<(), RetryError<Failure>> {
    dependency.answer()
}

fn at(name: &str) -> Target {
    Target::Site(name.into())
}

fn about(target: Target) -> Override {
    Override::new(target)
}

fn said() -> Vec<String> {
    let line = |row: &control::OverrideRow| {
        format!("{}: {}: {}", row.layer(), row.target(), row.settings())
    };
    control::overrides().iter().map(line).collect()
}

/// Keeps the functions linked.
async fn call_all() {
    let well = Dependency::always(Ok(()));
    assert_eq!(fetch(&well).await, Ok(()));
    assert_eq!(store(&well).await, Ok(()));
    assert!(explained(&well).await.is_ok() && blocking(&well).is_ok());
    assert_eq!(with_cut_error(&well).await, Ok(()));
    assert_eq!(single(&well).await, Ok(()));
}

// R177
#[tokio::test(start_paused = true)]
async fn the_policy_that_would_come_of_it_is_checked_with_both_values() {
    isolated(async {
        call_all().await;
        let alone = about(at("applied.fetch")).set("base", "30s").unwrap();
        assert_eq!(
            control::set(alone).unwrap_err().to_string(),
            "site `applied.fetch`: `base = \"30s\"`: with it the policy of `applied.fetch` would make no sense: `base` (30s) is above `max` (20s)"
        );
        let all = about(Target::SitesOf("applied.orders".into())).set("max", "1ms").unwrap();
        assert_eq!(
            control::set(all).unwrap_err().to_string(),
            "sites of budget `applied.orders`: `max = \"1ms\"`: with it the policy of `applied.fetch`, `applied.store` would make no sense: `base` (1s) is above `max` (1ms)"
        );
        let both = about(at("applied.fetch")).set("base", "30s").unwrap().set("max", "40s").unwrap();
        control::set(both).unwrap();
        let late = about(at("applied.store")).set("min_remaining", "5s").unwrap();
        assert_eq!(
            control::set(late).unwrap_err().to_string(),
            "site `applied.store`: `min_remaining = \"5s\"`: no attempt of `applied.store` could start: `min_remaining` (5s) leaves nothing of the deadline (5s)"
        );
        let long = about(at("applied.store")).set("time_per_attempt", "6s").unwrap();
        let error = control::set(long).unwrap_err().to_string();
        assert!(error.contains("`time_per_attempt` (6s) leaves nothing of the deadline (5s)"), "{error}");
        assert_eq!(said(), ["code: site `applied.fetch`: base = \"30s\", max = \"40s\""]);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn what_a_site_cannot_honour_is_refused_with_the_reason() {
    isolated(async {
        call_all().await;
        let timeout = |name| about(at(name)).set("attempt_timeout", "1s").unwrap();
        let why = "its error cannot say that an attempt timed out";
        let error = control::set(timeout("applied.fetch")).unwrap_err().to_string();
        let begin = format!("site `applied.fetch`: `attempt_timeout = \"1s\"`: `applied.fetch` cannot honour it: {why}");
        assert!(error.starts_with(&begin), "{error}");
        let error = control::set(timeout("applied.blocking")).unwrap_err().to_string();
        assert!(error.ends_with("an attempt that runs on its thread cannot be ended"), "{error}");
        assert_eq!(control::set(timeout("applied.explained")), Ok(()));
        assert_eq!(control::set(timeout("applied.cut_error")), Ok(()));

        let more = about(at("applied.single")).set("attempts", 2).unwrap();
        let error = control::set(more).unwrap_err().to_string();
        assert!(error.ends_with("with `attempts = 1` in its attribute there is no loop around it"), "{error}");
        assert_eq!(control::set(about(at("applied.single")).set("attempts", 1).unwrap()), Ok(()));

        // Of many sites those honour it that can, and the others are shown.
        control::set(about(Target::All).set("attempts", 5).unwrap()).unwrap();
        let rows = control::overrides();
        let row = rows.iter().find(|row| *row.target() == Target::All).expect("it is in force");
        let left_out: Vec<_> = row.left_out().map(|(site, key, _)| (site, key)).collect();
        assert_eq!(left_out, [("applied.single", "attempts")]);
        assert!(rows.to_string().contains("NOT `attempts` of applied.single"), "{rows}");
    })
    .await;
}

// R145
#[tokio::test(start_paused = true)]
async fn a_document_with_one_fault_changes_nothing_and_tells_all_of_them() {
    isolated(async {
        call_all().await;
        let events = testing::events();
        let good = about(Target::All).set("attempts", 2).unwrap();
        control::apply(Layer::File, Overrides::from_iter([good])).unwrap();
        let document = [
            about(Target::All).set("attempts", 7).unwrap(),
            about(at("applied.fetch")).set("base", "30s").unwrap(),
            about(at("applied.fetch")).set("attempts", 4).unwrap(),
            about(at("applied.store")),
            about(at("applied.single")).set("attempts", "unlimited").unwrap(),
            about(at("applied.explained")).set("backoff", "none").unwrap().set("base", "1s").unwrap(),
            about(at("applied.cut_error")).set("attempts", 2).unwrap().expires_in(Duration::ZERO),
        ];
        let errors = control::apply(Layer::File, Overrides::from_iter(document)).unwrap_err();
        let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(
            errors,
            [
                "site `applied.fetch`: there are two overrides of this target: put them together",
                "site `applied.store`: it sets no key",
                "site `applied.single`: `attempts = \"unlimited\"`: it needs `deadline` and `inner` in the same override, because each default would surprise",
                "site `applied.single`: `attempts = \"unlimited\"`: `applied.single` cannot honour it: with `attempts = 1` in its attribute there is no loop around it",
                "site `applied.explained`: `base = \"1s\"`: it has no effect: backoff \"none\" does not use it",
                "site `applied.cut_error`: it expires at once: give it a time above zero, or none",
            ]
        );
        assert_eq!(said(), ["file: all sites: attempts = 2"]);
        let events = events.take();
        let changes: Vec<&Change> = events.iter().filter_map(|event| match event.what() {
            What::Overrides(change) => Some(&**change),
            _ => None,
        }).collect();
        assert_eq!(*changes[0], Change::Applied { layer: Layer::File, overrides: 1 });
        let Change::Refused { layer: Layer::File, errors } = changes[1] else { panic!("{changes:?}") };
        assert_eq!((errors.iter().count(), changes.len()), (6, 2));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_name_that_nobody_has_is_refused_to_code_and_waits_in_a_document() {
    const POLICY: Policy = Policy::new();
    isolated(async {
        call_all().await;
        let meant = |name: &str| about(at(name)).set("retries", "off").unwrap();
        assert_eq!(
            control::set(meant("applied.fetsh")).unwrap_err().to_string(),
            "site `applied.fetsh`: there is no site `applied.fetsh`: did you mean `applied.fetch`?"
        );
        let budget = about(Target::Budget("applied.late".into())).set("retries", "off").unwrap();
        let document =
            Overrides::from_iter([meant("applied.fetsh"), meant("applied.of_a_closure"), budget]);
        control::apply(Layer::File, document).unwrap();
        let rows = control::overrides();
        let waits: Vec<_> = rows.iter().map(|row| (row.is_pending(), row.nearest())).collect();
        assert_eq!(waits, [(true, Some("applied.fetch")), (true, None), (true, None)]);
        assert!(rows.to_string().contains("WAITS: did you mean `applied.fetch`?"), "{rows}");

        // The first call of a closure makes its site.
        let dead = Dependency::dead();
        let call = async || dead.answer();
        assert_eq!(POLICY.run(call).named("applied.of_a_closure").await, Err(T));
        assert_eq!(dead.bodies(), 1);
        assert!(site("applied.of_a_closure").is_off());
        let late = Budget::dynamic("applied.late").declare().expect("it makes sense");
        assert!(late.is_off());
        let waits: Vec<bool> = control::overrides().iter().map(OverrideRow::is_pending).collect();
        assert_eq!(waits, [true, false, false]);

        control::apply(Layer::File, Overrides::new()).unwrap();
        assert!(!late.is_off() && !site("applied.of_a_closure").is_off());
    })
    .await;
    assert!(!site("applied.of_a_closure").is_off());
}

#[tokio::test(start_paused = true)]
async fn an_override_goes_away_by_itself_when_its_time_is_over() {
    isolated(async {
        call_all().await;
        let events = testing::events();
        let hour = about(Target::All).set("attempts", 2).unwrap().note("INC-4711");
        control::set(hour.clone().expires_in(Duration::from_secs(60))).unwrap();
        control::site("applied.fetch").unwrap().because("INC-4712").off_for(Duration::from_secs(30));
        let left: Vec<_> = control::overrides().iter().map(|row| (row.note().map(str::to_owned), row.expires_in())).collect();
        assert_eq!(
            left,
            [
                (Some("INC-4711".to_owned()), Some(Duration::from_secs(60))),
                (Some("INC-4712".to_owned()), Some(Duration::from_secs(30))),
            ]
        );
        sleep(Duration::from_secs(29)).await;
        assert!(site("applied.fetch").is_off());
        sleep(Duration::from_secs(1)).await;
        assert!(!site("applied.fetch").is_off());
        assert_eq!(said(), ["code: all sites: attempts = 2"]);
        sleep(Duration::from_secs(30)).await;
        assert!(control::overrides().is_empty());
        let expired = events.take().iter().filter(|event| matches!(event.what(), What::Overrides(change) if matches!(**change, Change::Expired { .. }))).count();
        assert_eq!(expired, 2);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_document_that_is_read_again_gives_nothing_more_time() {
    isolated(async {
        let minute =
            about(Target::All).set("attempts", 2).unwrap().expires_in(Duration::from_secs(60));
        let apply = || control::apply(Layer::File, Overrides::from_iter([minute.clone()])).unwrap();
        apply();
        sleep(Duration::from_secs(40)).await;
        apply();
        let left = control::overrides().iter().next().and_then(control::OverrideRow::expires_in);
        assert_eq!(left, Some(Duration::from_secs(20)));
        sleep(Duration::from_secs(20)).await;
        assert!(control::overrides().is_empty());
        apply();
        assert!(control::overrides().is_empty(), "it was over, and stays so");
        control::apply(Layer::File, Overrides::new()).unwrap();
        apply();
        assert_eq!(control::overrides().len(), 1, "taken out and put in again it is a new one");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn the_stronger_layer_wins_and_within_it_the_narrower_target() {
    isolated(async {
        call_all().await;
        let retries = |target, value| about(target).set("retries", value).unwrap();
        let orders = || Target::SitesOf("applied.orders".into());
        let off = || {
            (
                control::all().is_off(),
                site("applied.fetch").is_off(),
                site("applied.store").is_off(),
            )
        };
        control::apply(Layer::Environment, Overrides::from_iter([retries(Target::All, "off")]))
            .unwrap();
        assert_eq!(off(), (true, false, false));
        // One site is excepted, so each other one is off by itself.
        control::apply(Layer::File, Overrides::from_iter([retries(at("applied.fetch"), "on")]))
            .unwrap();
        assert_eq!(off(), (false, false, true));
        control::set(retries(orders(), "off")).unwrap();
        assert_eq!(off(), (false, true, true));
        control::set(retries(at("applied.fetch"), "on")).unwrap();
        assert_eq!(off(), (false, false, true));
        assert_eq!(
            said(),
            [
                "environment: all sites: retries = \"off\"",
                "file: site `applied.fetch`: retries = \"on\"",
                "code: sites of budget `applied.orders`: retries = \"off\"",
                "code: site `applied.fetch`: retries = \"on\"",
            ]
        );
        assert!(control::clear(&at("applied.fetch")) && !control::clear(&at("applied.fetch")));
        assert_eq!(off(), (false, true, true));
        assert!(control::clear(&orders()));
        control::apply(Layer::File, Overrides::new()).unwrap();
        assert_eq!(off(), (true, false, false));
        // What another layer says is not the program's to take away.
        control::all().on();
        assert!(control::all().is_off());
        control::set(retries(Target::All, "on")).unwrap();
        assert!(!control::all().is_off());
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_switch_and_other_settings_of_one_target_leave_each_other_alone() {
    isolated(async {
        call_all().await;
        control::all().because("INC-1").off();
        control::set(about(Target::All).set("attempts", 2).unwrap()).unwrap();
        assert!(control::all().is_off());
        control::set(about(Target::All).set("attempts", 4).unwrap()).unwrap();
        control::all().because("INC-2").off();
        assert_eq!(said(), ["code: all sites: attempts = 4", "code: all sites: retries = \"off\""]);
        control::all().on();
        assert_eq!(said(), ["code: all sites: attempts = 4"]);
        let both = about(Target::All).set("attempts", 4).unwrap().set("retries", "off").unwrap();
        control::all().off();
        control::set(both).unwrap();
        assert_eq!(said(), ["code: all sites: attempts = 4, retries = \"off\""]);
        control::all().on();
        assert_eq!(said(), ["code: all sites: attempts = 4"]);
        assert!(!control::all().is_off());
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn shutdown_is_for_good() {
    isolated(async {
        assert!(!control::is_shutting_down());
        control::all().off_for(Duration::from_secs(1));
        control::shutdown();
        control::shutdown();
        sleep(Duration::from_secs(2)).await;
        control::all().on();
        let on = about(Target::All).set("retries", "on").unwrap();
        control::apply(Layer::File, Overrides::from_iter([on])).unwrap();
        assert!(control::is_shutting_down() && control::all().is_off());
        let shown = control::overrides();
        assert!(shown.is_shutting_down());
        assert!(
            shown.to_string().starts_with("SHUTTING DOWN: nothing is retried any more\n\n"),
            "{shown}"
        );
        let dead = Dependency::dead();
        assert_eq!((fetch(&dead).await, dead.bodies()), (Err(T), 1));
    })
    .await;
    assert!(!control::is_shutting_down() && !control::all().is_off());
}

#[tokio::test(start_paused = true)]
async fn the_table_says_who_what_where_from_until_when_and_why() {
    isolated(async {
        assert_eq!(control::overrides().to_string(), "nothing is overridden");
        control::budget("applied.orders")
            .unwrap()
            .because("INC-4711")
            .off_for(Duration::from_secs(90));
        let gentle = about(at("applied.fetch")).set("attempts", 2).unwrap();
        control::apply(Layer::File, Overrides::from_iter([gentle])).unwrap();
        assert_eq!(
            control::overrides().to_string(),
            "override                 says             layer  expires in  note      sites\n\
             site `applied.fetch`     attempts = 2     file   -           -         applied.fetch\n\
             budget `applied.orders`  retries = \"off\"  code   1m30s       INC-4711  applied.fetch, applied.store"
        );
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn overrides_of_a_test_are_its_own() {
    isolated(async {
        control::set(about(Target::All).set("attempts", 2).unwrap()).unwrap();
        isolated(async { assert!(control::overrides().is_empty()) }).await;
        assert_eq!(control::overrides().len(), 1);
    })
    .await;
    assert!(control::overrides().is_empty());
}
