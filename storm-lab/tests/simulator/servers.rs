//! Workers, queues and endpoints.

use crate::{ONCE, assert_took, number, run, steps};

fn world(calls: u32, tier: &str) -> String {
    format!(
        "duration = \"20s\"\n[clients]\nwave = {{ calls = {calls}, at = \"1s\" }}\n[[tier]]\nname = \"orders\"\n{tier}\n"
    )
}

#[test]
fn workers_serve_side_by_side_and_the_others_wait_in_line() {
    let outcome = run(&world(5, r#"server = { workers = 2, service = "100ms" }"#), ONCE);
    assert_eq!(steps(&outcome.series.served), [110, 110, 120, 120, 130]);
    assert_eq!(outcome.tiers[0].utilisation, 0.5 / (20.0 * 2.0));
    assert_eq!((outcome.succeeded, outcome.most_concurrent), (5, 5));
}

#[test]
fn both_ways_over_the_network_take_their_time() {
    let tier = "latency = \"40ms\"\nserver = { workers = 1, service = \"100ms\" }";
    let outcome = run(&world(1, tier), ONCE);
    assert_eq!(steps(&outcome.series.served), [114]);
    assert_took(&outcome, 180);
}

#[test]
fn no_more_wait_than_the_queue_has_room_for() {
    let outcome =
        run(&world(10, r#"server = { workers = 1, service = "100ms", queue = 2 }"#), ONCE);
    assert_eq!(steps(&outcome.series.served), [110, 120, 130]);
    let tier = &outcome.tiers[0];
    assert_eq!((tier.arrived, tier.served, outcome.succeeded), (10, 3, 3));
    let outcome =
        run(&world(10, r#"server = { workers = 4, service = "100ms", queue = 0 }"#), ONCE);
    assert_eq!(outcome.succeeded, 4);
}

#[test]
fn endpoints_share_workers_and_room_and_have_queues_of_their_own() {
    // Two workers and two places each: with a hundred requests, both are full.
    let tier = r#"server = { workers = 4, service = "100ms", queue = 4, endpoints = 2 }"#;
    let outcome = run(&world(100, tier), ONCE);
    assert_eq!((outcome.succeeded, outcome.tiers[0].arrived), (8, 100));
    assert_eq!(steps(&outcome.series.served), [110, 110, 110, 110, 120, 120, 120, 120]);
    // One worker each: some endpoint of ten has several requests of ten, though there are workers enough.
    let apart = r#"server = { workers = 10, service = "100ms", endpoints = 10 }"#;
    assert!(run(&world(10, apart), ONCE).latency_all.max() > 150_000);
    assert_took(&run(&world(10, r#"server = { workers = 10, service = "100ms" }"#), ONCE), 100);
}

#[test]
fn what_nobody_waits_for_is_served_unless_it_is_shed() {
    let tier = |shed| {
        format!(
            "timeout = \"250ms\"\nserver = {{ workers = 1, service = \"100ms\", shed = {shed} }}"
        )
    };
    // Two in time, one begun in time, and seven for nobody.
    let counts = |shed| {
        let outcome = run(&world(10, &tier(shed)), ONCE);
        let tier = &outcome.tiers[0];
        (outcome.succeeded, tier.arrived, tier.served, tier.wasted)
    };
    assert_eq!(counts(false), (2, 10, 10, 8));
    assert_eq!(counts(true), (2, 10, 3, 1));
    let busy = |shed| run(&world(10, &tier(shed)), ONCE).tiers[0].utilisation;
    assert!((busy(false) - 1.0 / 20.0).abs() < 1e-9 && (busy(true) - 0.3 / 20.0).abs() < 1e-9);
}

#[test]
fn utilisation_is_of_the_window_alone() {
    // Busy from 1 s to 6 s, of which 2 s lie in the window of 4 s.
    let text = format!(
        "window = [\"4s\", \"8s\"]\n{}",
        world(5, r#"server = { workers = 1, service = "1s" }"#)
    );
    let outcome = run(&text, ONCE);
    assert!((outcome.tiers[0].utilisation - 0.5).abs() < 1e-9);
    assert_eq!((outcome.calls, outcome.tiers[0].served), (0, 3), "ends at 4 s, 5 s and 6 s");
}

#[test]
fn what_has_no_server_answers_at_once_and_without_limits() {
    let outcome = run(&world(1_000, "latency = \"5ms\""), ONCE);
    assert_took(&outcome, 10);
    let tier = &outcome.tiers[0];
    assert_eq!((tier.arrived, tier.served, outcome.succeeded), (1_000, 1_000, 1_000));
    assert_eq!(number(tier.wasted) + tier.utilisation, 0.0);
}
