//! Queues against their theory.
//!
//! Pollaczek and Khinchine: with calls at random moments, λ a second, and one worker that takes S for each, a call waits
//! λ·E[S²] / (2·(1 − λ·E[S])) in the mean, and then is served.

use crate::{ONCE, number, scenario, simulate};

/// Calls a second.
const RATE: f64 = 70.0;
/// The mean of all service times here, in seconds.
const SERVICE: f64 = 0.01;
const SEEDS: u64 = 12;

/// The mean over seeds of a figure, and the standard error of that mean.
fn observed(server: &str, figure: impl Fn(&storm_lab::outcome::Outcome) -> f64) -> (f64, f64) {
    let world = format!(
        "duration = \"160s\"\nwindow = [\"10s\", \"160s\"]\n[clients]\nrate = {RATE:?}\n\
         [[tier]]\nname = \"orders\"\nserver = {{ workers = 1, service = {server} }}\n"
    );
    let scenario = scenario(&world, ONCE);
    let all: Vec<f64> = (1..=SEEDS).map(|seed| figure(&simulate(&scenario, seed))).collect();
    let many = number(SEEDS);
    let mean = all.iter().sum::<f64>() / many;
    let variance = all.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / (many - 1.0);
    (mean, (variance / many).sqrt())
}

/// The 99.9th percentile of Student's t with eleven degrees of freedom.
const T: f64 = 4.025;

#[track_caller]
fn waits_as_theory_says(server: &str, second_moment: f64) {
    let theory = RATE * second_moment / (2.0 * (1.0 - RATE * SERVICE)) + SERVICE;
    // In microseconds, to two digits: their means are off by less than a hundredth of that.
    let (mean, error) = observed(server, |outcome| outcome.latency.mean() / 1e6);
    let width = T * error + 1e-4 * theory;
    assert!(error < 0.05 * theory, "{server}: too few calls to tell: {error}");
    assert!((mean - theory).abs() < width, "{server}: {mean} s in place of {theory} ± {width} s");
}

#[test]
fn a_fixed_service_time_lets_wait_half_as_long_as_an_exponential_one() {
    waits_as_theory_says("\"10ms\"", SERVICE * SERVICE);
    waits_as_theory_says("{ exponential = \"10ms\" }", 2.0 * SERVICE * SERVICE);
}

#[test]
fn the_wait_goes_by_the_second_moment_of_the_service_time() {
    // From 0 to 20 ms: 20²/3.
    waits_as_theory_says("{ uniform = [\"0s\", \"20ms\"] }", 4.0 * SERVICE * SERVICE / 3.0);
}

#[test]
fn a_full_queue_refuses_the_share_that_erlang_says() {
    // M/M/1 with room for four: of those that come, (1−ρ)·ρ⁴/(1−ρ⁵) find it full.
    let load = RATE * SERVICE;
    let theory = (1.0 - load) * load.powi(4) / (1.0 - load.powi(5));
    let (mean, error) =
        observed("{ exponential = \"10ms\" }, queue = 3", |outcome| 1.0 - outcome.success());
    assert!((mean - theory).abs() < T * error, "{mean} in place of {theory} ± {}", T * error);
}

#[test]
fn workers_are_busy_for_the_share_that_their_load_is() {
    let (mean, error) =
        observed("{ exponential = \"10ms\" }", |outcome| outcome.tiers[0].utilisation);
    assert!((mean - RATE * SERVICE).abs() < T * error, "{mean} ± {error}");
}
