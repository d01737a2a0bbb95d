//! Each fault, on a topology of one service.

use crate::{ONCE, assert_took, ms, number, run, run_tiers, steps};

/// One worker that takes 100 ms, and calls that come at these seconds.
fn world(waves: &str, tier: &str, fault: &str) -> String {
    format!(
        "duration = \"20s\"\n[clients]\nwave = [{waves}]\n[[tier]]\nname = \"orders\"\n{tier}\n[[fault]]\n{fault}\n"
    )
}

const SLOW_ONE: &str = r#"server = { workers = 1, service = "100ms" }"#;
const QUICK: &str = r#"server = { workers = 9, service = "10ms" }"#;
const AT_1: &str = r#"{ calls = 1, at = "1s" }"#;

#[test]
fn what_a_stall_holds_arrives_together_when_it_ends_and_in_its_order() {
    let waves = r#"{ calls = 1, at = "1s" }, { calls = 1, at = "2s" }, { calls = 1, at = "3s" }"#;
    let world = world(waves, SLOW_ONE, "kind = \"stall\"\nat = \"1s\"\nfor = \"4s\"");
    let outcome = run(&world, ONCE);
    assert_eq!(steps(&outcome.series.served), [510, 520, 530]);
    assert_eq!(steps(&outcome.series.succeeded), [100, 200, 300], "by when they began");
    assert_took(&outcome, 4_100);
    assert_eq!((outcome.succeeded, outcome.tiers[0].arrived, outcome.most_concurrent), (3, 3, 3));
    assert_eq!(outcome.tiers[0].utilisation, 0.3 / 20.0);
}

#[test]
fn what_is_held_arrives_when_it_is_let_go_of_and_meets_what_is_wrong_then() {
    let stall = "kind = \"stall\"\nat = \"1s\"\nfor = \"4s\"";
    let later = format!("window = [\"5s\", \"20s\"]\n{}", world(AT_1, SLOW_ONE, stall));
    let outcome = run(&later, ONCE);
    assert_eq!((outcome.calls, outcome.tiers[0].arrived, outcome.tiers[0].served), (0, 1, 1));
    // The second stall begins before the first has ended.
    let again = format!("{stall}\n[[fault]]\nkind = \"stall\"\nat = \"2s\"\nfor = \"5s\"");
    assert_eq!(steps(&run(&world(AT_1, SLOW_ONE, &again), ONCE).series.served), [710]);
    let outage = format!("{stall}\n[[fault]]\nkind = \"outage\"\nat = \"4s\"\nfor = \"5s\"");
    let outcome = run(&world(AT_1, SLOW_ONE, &outage), ONCE);
    assert_eq!((outcome.succeeded, outcome.tiers[0].served), (0, 0));
}

#[test]
fn who_gives_up_during_a_stall_leaves_work_that_is_done_in_vain() {
    let tier = format!("timeout = \"500ms\"\n{SLOW_ONE}");
    let outcome = run(&world(AT_1, &tier, "kind = \"stall\"\nat = \"1s\"\nfor = \"4s\""), ONCE);
    assert_took(&outcome, 500);
    let tier = &outcome.tiers[0];
    assert_eq!((outcome.succeeded, tier.arrived, tier.served, tier.wasted), (0, 1, 1, 1));
    assert!(steps(&outcome.series.served).is_empty());
}

#[test]
fn an_outage_answers_after_its_time_with_its_status_and_its_hint() {
    let fault =
        |more: &str| format!("kind = \"outage\"\nfor = \"1.01s\"\nafter = \"50ms\"\n{more}");
    let retry = r#"backoff = "fixed", base = "100ms", attempts = 2, budget = none"#;
    let told = |more: &str| run(&world(AT_1, QUICK, &fault(more)), retry);
    // 1 s, and 50 ms for the answer, and 100 ms of backoff.
    let outcome = told("");
    assert_eq!(outcome.first_retry, Some(ms(1_150)));
    assert_took(&outcome, 160);
    assert_eq!((outcome.succeeded, outcome.tiers[0].arrived, outcome.tiers[0].served), (1, 2, 1));
    // The hint is a floor, above which up to a quarter of it is added.
    let outcome = told("retry_after = \"2s\"");
    let first = outcome.first_retry.unwrap();
    assert!(first >= ms(3_050) && first <= ms(3_550), "{first:?}");
    for (more, reason) in [
        ("status = 404", "permanent"),
        ("status = 500", "maybe_executed"),
        ("retry_after = \"21s\"", "retry_after_too_long"),
    ] {
        let outcome = told(more);
        assert_eq!((outcome.succeeded, outcome.tiers[0].attempts), (0, 1), "{more}");
        assert_eq!(outcome.stops.get(reason), Some(&1), "{:?}", outcome.stops);
        assert_took(&outcome, 50);
    }
}

#[test]
fn an_outage_of_a_share_takes_that_share() {
    let waves = r#"{ calls = 2_000, at = "1s" }"#;
    let outcome = run(&world(waves, "", "kind = \"outage\"\nshare = 0.3"), ONCE);
    // Five standard deviations of a binomial distribution.
    let width = 5.0 * (2_000.0 * 0.3 * 0.7_f64).sqrt();
    let refused = number(2_000 - outcome.succeeded);
    assert!((refused - 600.0).abs() < width, "{refused}");
    assert_eq!(outcome.tiers[0].arrived, 2_000);
}

const TWICE: &str = r#"backoff = "fixed", base = "500ms", attempts = 2, budget = none, idempotent"#;

#[test]
fn a_lost_request_is_no_work_and_its_client_waits_for_its_timeout() {
    let tier = format!("timeout = \"200ms\"\n{QUICK}");
    let world = world(AT_1, &tier, "kind = \"loss\"\nrequest = 1.0\nfor = \"1.5s\"");
    let outcome = run(&world, TWICE);
    assert_eq!(outcome.first_retry, Some(ms(1_700)));
    assert_took(&outcome, 710);
    let tier = &outcome.tiers[0];
    assert_eq!((outcome.succeeded, tier.attempts, tier.arrived), (1, 2, 1));
    assert_eq!((tier.served, tier.wasted), (1, 0));
    // It may have been executed, and nobody said that this is harmless.
    let outcome = run(&world, &TWICE.replace(", idempotent", ""));
    assert_eq!((outcome.succeeded, outcome.stops.get("maybe_executed")), (0, Some(&1)));
    assert_took(&outcome, 200);
}

#[test]
fn a_lost_answer_is_work_in_vain() {
    let tier = format!("timeout = \"200ms\"\n{QUICK}");
    let world = world(AT_1, &tier, "kind = \"loss\"\nresponse = 1.0\nfor = \"1.5s\"");
    let outcome = run(&world, TWICE);
    assert_took(&outcome, 710);
    let tier = &outcome.tiers[0];
    assert_eq!((outcome.succeeded, tier.attempts, tier.arrived), (1, 2, 2));
    assert_eq!((tier.served, tier.wasted), (2, 1));
    assert_eq!(steps(&outcome.series.served), [171], "only what came back");
}

#[test]
fn answers_are_lost_whatever_they_say_and_whoever_gives_them() {
    let fault = "kind = \"loss\"\nresponse = 1.0\nfor = \"1.5s\"";
    // Without a server.
    let outcome = run(&world(AT_1, "timeout = \"200ms\"", fault), TWICE);
    assert_eq!((outcome.tiers[0].served, outcome.tiers[0].wasted), (2, 1));
    assert_took(&outcome, 700);
    // A refusal.
    let outage = format!("{fault}\n[[fault]]\nkind = \"outage\"\nfor = \"1.5s\"");
    assert_took(&run(&world(AT_1, "timeout = \"200ms\"", &outage), TWICE), 700);
}

#[test]
fn serving_takes_so_many_times_as_long_while_it_is_slow() {
    let waves = r#"{ calls = 1, at = "1s" }, { calls = 1, at = "5s" }"#;
    let fault = "kind = \"slow\"\nfactor = 3\nfor = \"2s\"";
    let outcome = run(&world(waves, SLOW_ONE, fault), ONCE);
    assert_eq!(steps(&outcome.series.served), [130, 510]);
    assert!((outcome.tiers[0].utilisation - 0.4 / 20.0).abs() < 1e-9);
}

#[test]
fn endpoints_that_are_down_refuse_at_once_and_the_others_serve() {
    let tier = r#"server = { workers = 4, service = "1ms", endpoints = 4 }"#;
    let waves = r#"{ calls = 2_000, at = "1s" }"#;
    let down =
        |down| run(&world(waves, tier, &format!("kind = \"endpoints\"\ndown = {down}")), ONCE);
    let outcome = down(1);
    let width = 5.0 * (2_000.0 * 0.25 * 0.75_f64).sqrt();
    let refused = number(2_000 - outcome.succeeded);
    assert!((refused - 500.0).abs() < width, "{refused}");
    assert_eq!(outcome.tiers[0].served, outcome.succeeded);
    let outcome = down(4);
    assert_eq!(
        (outcome.succeeded, outcome.tiers[0].served, outcome.tiers[0].arrived),
        (0, 0, 2_000)
    );
    assert_took(&outcome, 0);
}

#[test]
fn a_throttle_lets_its_burst_through_and_then_its_rate() {
    // A hundred a second, with a tenth of a second's worth at once: one, and ten that are due within 100 ms.
    let waves = r#"{ calls = 50, at = "1s" }, { calls = 50, at = "10s" }"#;
    let world = |fault: &str| world(waves, QUICK, fault);
    let fault = "kind = \"throttle\"\nlimit = 100";
    let outcome = run(&world(fault), ONCE);
    assert_eq!(
        (outcome.succeeded, outcome.tiers[0].served, outcome.tiers[0].arrived),
        (22, 22, 100)
    );
    let outcome = run(&world("kind = \"throttle\"\nlimit = 0"), ONCE);
    assert_eq!(outcome.succeeded, 0);
    let retry = r#"backoff = "none", attempts = 2, budget = none"#;
    let outcome = run(&world(&format!("{fault}\nretry_after = \"2s\"")), retry);
    assert!(outcome.first_retry.unwrap() >= ms(3_000));
    assert_eq!(outcome.tiers[0].attempts, 100 + 78);
}

#[test]
fn a_loop_over_pages_fails_at_the_page_and_repeats_what_was_fine() {
    let pages = |outer: &str, inner: &str| {
        let world = "duration = \"20s\"\n[clients]\nwave = { calls = 1 }\n[[tier]]\nname = \"export\"\n\
            calls = { tier = \"pages\", times = 5 }\n[[tier]]\nname = \"pages\"\nlatency = \"1ms\"\n\
            [[fault]]\ntier = \"pages\"\nkind = \"page\"\nnumber = 3\n";
        run_tiers(world, outer, &[("pages", inner)])
    };
    let three = r#"attempts = 3, budget = none, nested = "independent""#;
    let outcome = pages(three, ONCE);
    assert_eq!((outcome.succeeded, outcome.tiers[1].attempts, outcome.tiers[1].served), (0, 9, 6));
    let outcome = pages(ONCE, three);
    assert_eq!((outcome.succeeded, outcome.tiers[1].attempts, outcome.tiers[1].served), (0, 5, 2));
}
