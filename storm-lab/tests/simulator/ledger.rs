//! Steady loss against arithmetic.
//!
//! With k attempts, each lost with the chance p: P(so many attempts = i) is p^(i−1)·(1−p) for i < k and p^(k−1) for
//! i = k, so a call makes (1−p^k)/(1−p) of them and succeeds with the chance 1−p^k.

use crate::{number, run};

const K: i32 = 4;
const CALLS: f64 = 20_000.0;
/// A sum of so many draws is within 4.5 of its standard deviations, but for one in 150,000.
const SIGMAS: f64 = 4.5;

/// Twenty thousand calls, each of which ends before the scenario does.
fn lossy(fault: &str) -> storm_lab::outcome::Outcome {
    let world = format!(
        "duration = \"60s\"\n[clients]\nprocesses = 50\nwave = {{ calls = 20_000, within = \"50s\" }}\n\
         [[tier]]\nname = \"orders\"\ntimeout = \"500ms\"\nserver = {{ workers = 63, service = \"10ms\" }}\n\
         [[fault]]\nkind = \"loss\"\n{fault}\n"
    );
    run(
        &world,
        r#"backoff = "full_jitter", base = "100ms", max = "1s", attempts = 4, budget = none, idempotent"#,
    )
}

#[track_caller]
fn near(what: &str, observed: f64, expected: f64, deviation: f64) {
    let off = (observed - expected).abs();
    assert!(
        off <= SIGMAS * deviation,
        "{what}: {observed} in place of {expected} ± {}",
        SIGMAS * deviation
    );
}

#[track_caller]
fn agrees(p: f64, outcome: &storm_lab::outcome::Outcome) {
    assert_eq!(outcome.calls, 20_000);
    let mean = (1.0 - p.powi(K)) / (1.0 - p);
    let square: f64 =
        (1..=K).map(|i| f64::from(i * i) * p.powi(i - 1) * if i < K { 1.0 - p } else { 1.0 }).sum();
    let deviation = ((square - mean * mean) / CALLS).sqrt();
    near("amplification", outcome.amplification(), mean, deviation);
    let failed = p.powi(K);
    near("success", outcome.success(), 1.0 - failed, (failed * (1.0 - failed) / CALLS).sqrt());
}

#[test]
fn amplification_and_success_are_those_of_theory_at_every_loss() {
    for p in [0.02, 0.15, 0.4, 0.7] {
        let outcome = lossy(&format!("share = {p}"));
        agrees(p, &outcome);
        // Half of what fails never arrives; of what does, each is served, and what is lost then was in vain.
        let tier = &outcome.tiers[0];
        let (attempts, arrived) = (number(tier.attempts), number(tier.arrived));
        near(
            "arrived",
            arrived / attempts,
            1.0 - p / 2.0,
            (p / 2.0 * (1.0 - p / 2.0) / attempts).sqrt(),
        );
        assert_eq!(tier.served, tier.arrived);
        assert_eq!(tier.served - tier.wasted, outcome.succeeded);
    }
}

#[test]
fn it_does_not_matter_on_which_side_it_is() {
    let request = lossy("request = 0.15");
    agrees(0.15, &request);
    assert_eq!((request.tiers[0].wasted, request.tiers[0].served), (0, request.succeeded));
    let response = lossy("response = 0.15");
    agrees(0.15, &response);
    assert_eq!(response.tiers[0].arrived, response.tiers[0].attempts);
}

#[test]
fn the_same_seed_means_the_same_calls_for_every_policy() {
    let one = lossy("share = 0.15");
    let world = "duration = \"60s\"\n[clients]\nprocesses = 50\nwave = { calls = 20_000, within = \"50s\" }\n[[tier]]\nname = \"orders\"\n";
    assert_eq!(one.series.calls, run(world, "attempts = 1").series.calls);
}
