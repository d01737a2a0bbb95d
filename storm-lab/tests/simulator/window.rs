//! What counts, and what ends a simulation.

use std::{sync::Arc, thread};

use storm_lab::sim::{self, Watch};

use crate::{assert_took, run, scenario};

const OUTAGE: &str = "[[fault]]\nkind = \"outage\"";

#[test]
fn a_call_that_begins_in_the_window_counts_with_all_that_becomes_of_it() {
    let world = format!(
        "duration = \"1s\"\n[clients]\nwave = {{ calls = 100, at = \"900ms\" }}\n[[tier]]\nname = \"orders\"\n{OUTAGE}\n"
    );
    let retry = r#"backoff = "fixed", base = "500ms", attempts = 4, budget = none"#;
    let outcome = run(&world, retry);
    assert_eq!((outcome.calls, outcome.tiers[0].attempts), (100, 400));
}

#[test]
fn what_began_before_the_window_does_not_count() {
    let world = format!(
        "duration = \"20s\"\nwindow = [\"10s\", \"20s\"]\n[clients]\nwave = [{{ calls = 1_000, at = \"0s\" }}, {{ calls = 1, at = \"15s\" }}]\n[[tier]]\nname = \"orders\"\n{OUTAGE}\n"
    );
    let retry = r#"backoff = "fixed", base = "1s", attempts = 20, budget = none"#;
    let outcome = run(&world, retry);
    assert_eq!((outcome.calls, outcome.tiers[0].attempts), (1, 20));
}

#[test]
fn a_stop_is_heard_where_attempts_take_no_time() {
    let world = format!(
        "duration = \"1s\"\n[clients]\nwave = {{ calls = 1 }}\n[[tier]]\nname = \"orders\"\n{OUTAGE}\n"
    );
    let retry = r#"backoff = "none", attempts = 1_000_000, budget = none"#;
    let scenario = scenario(&world, retry);
    let watch = Arc::new(Watch::default());
    watch.stop();
    let simulated = thread::spawn({
        let watch = Arc::clone(&watch);
        move || sim::simulate(&scenario, &scenario.policies[0], 1, &watch).is_none()
    });
    assert!(simulated.join().expect("it does not panic"), "it was stopped");
}

#[test]
fn what_slows_down_twice_is_twice_as_slow() {
    let world = "duration = \"2s\"\n[clients]\nwave = { calls = 1, at = \"1s\" }\n[[tier]]\nname = \"orders\"\nserver = { workers = 1, service = \"10ms\" }\n[[fault]]\nkind = \"slow\"\nfactor = 2\n[[fault]]\nkind = \"slow\"\nfactor = 10\n";
    assert_took(&run(world, crate::ONCE), 200);
}
