//! What ends attempts and calls: timeouts, deadlines, breakers.

use crate::{assert_took, ms, run, run_tiers};

fn world(more: &str) -> String {
    format!(
        "duration = \"20s\"\n[clients]\nwave = {{ calls = 1, at = \"1s\" }}\n[[tier]]\nname = \"orders\"\n{more}\n"
    )
}

const SLOW: &str = r#"server = { workers = 9, service = "1s" }"#;

#[test]
fn an_attempt_timeout_ends_the_attempt_and_the_next_one_follows() {
    let retry = r#"backoff = "fixed", base = "100ms", attempts = 2, attempt_timeout = "300ms", budget = none, idempotent"#;
    let outcome = run(&world(SLOW), retry);
    assert_eq!(outcome.first_retry, Some(ms(1_400)));
    assert_took(&outcome, 700);
    let tier = &outcome.tiers[0];
    assert_eq!((tier.attempts, tier.served, tier.wasted, outcome.succeeded), (2, 2, 2, 0));
    assert_eq!(outcome.stops.get("attempts_exhausted"), Some(&1));
}

#[test]
fn a_deadline_cuts_a_running_attempt() {
    let outcome =
        run(&world(SLOW), r#"deadline = "500ms", attempts = 3, budget = none, idempotent"#);
    assert_took(&outcome, 500);
    assert_eq!(outcome.tiers[0].attempts, 1);
    assert_eq!(outcome.stops.get("deadline_exceeded"), Some(&1));
}

#[test]
fn nobody_sleeps_past_a_deadline() {
    let outage = "[[fault]]\nkind = \"outage\"";
    let retry =
        r#"backoff = "fixed", base = "300ms", deadline = "500ms", attempts = 9, budget = none"#;
    let outcome = run(&world(outage), retry);
    assert_took(&outcome, 300);
    assert_eq!(outcome.tiers[0].attempts, 2);
    assert_eq!(outcome.stops.get("deadline_too_close"), Some(&1));
}

#[test]
fn the_outer_deadline_is_that_of_inner_calls_too() {
    let world = world(&format!("calls = [\"stock\"]\n[[tier]]\nname = \"stock\"\n{SLOW}"));
    let outcome = run_tiers(
        &world,
        r#"deadline = "500ms", attempts = 1"#,
        &[("stock", r#"attempts = 3, deadline = "800ms""#)],
    );
    assert_took(&outcome, 500);
    assert_eq!((outcome.succeeded, outcome.tiers[1].attempts, outcome.tiers[1].wasted), (0, 1, 1));
}

#[test]
fn a_breaker_opens_in_each_process_and_lets_one_through_after_its_time() {
    // Each caller calls every 90 ms: five failures from 0 s to 360 ms, closed to calls for 30 s, and the next call
    // after that, at 338 · 90 ms, is a probe that succeeds; the last one begins at 444 · 90 ms.
    let world = "duration = \"40s\"\n[clients]\nprocesses = 2\ncallers = 1\nthink = \"90ms\"\n\
        [[tier]]\nname = \"orders\"\n[[fault]]\nkind = \"outage\"\nfor = \"20s\"\n";
    let outcome = run(world, r#"attempts = 1, breaker = "orders""#);
    assert_eq!(outcome.calls, 2 * 445);
    assert_eq!(outcome.tiers[0].attempts, 2 * (5 + 107));
    assert_eq!(outcome.succeeded, 2 * 107);
    assert_eq!(
        outcome.stops.get("breaker_open"),
        Some(&(2 * (445 - 5 - 107))),
        "{:?}",
        outcome.stops
    );
    // Without it, half of all fail: 0 s to 19.98 s are 223 calls.
    let outcome = run(world, "attempts = 1");
    assert_eq!((outcome.tiers[0].attempts, outcome.succeeded), (890, 890 - 2 * 223));
}
