//! What the simulator makes of scenarios small enough to be worked out by hand, and of arithmetic.

#![allow(clippy::float_cmp, reason = "what is worked out by hand is exact")]

mod anything;
mod clients;
mod faults;
mod layers;
mod ledger;
mod limits;
mod notes;
mod payers;
mod queueing;
mod recovery;
mod rules;
mod same_bytes;
mod servers;
mod window;

use std::{fmt::Write as _, time::Duration};

use storm_lab::{
    outcome::Outcome,
    scenario::{self, Scenario},
    sim::{self, Watch},
};

/// One attempt, and nothing else.
pub(crate) const ONCE: &str = "attempts = 1, budget = none";

/// A scenario with one policy.
pub(crate) fn scenario(world: &str, retry: &str) -> Scenario {
    read(&format!("{world}\n[[policy]]\nname = \"tried\"\nretry = '{retry}'\n"))
}

pub(crate) fn read(text: &str) -> Scenario {
    scenario::read("tried", text).unwrap_or_else(|mistakes| panic!("{mistakes}\n{text}"))
}

/// What comes of the scenario's first policy with this seed.
pub(crate) fn simulate(scenario: &Scenario, seed: u64) -> Outcome {
    sim::simulate(scenario, &scenario.policies[0], seed, &Watch::default())
        .expect("nobody stops it")
}

/// What comes of one policy, with one seed.
pub(crate) fn run(world: &str, retry: &str) -> Outcome {
    simulate(&scenario(world, retry), 1)
}

/// The same with other policies for single tiers.
pub(crate) fn run_tiers(world: &str, retry: &str, tiers: &[(&str, &str)]) -> Outcome {
    let mut text = format!("{world}\n[[policy]]\nname = \"tried\"\nretry = '{retry}'\n");
    for (tier, retry) in tiers {
        let _ = writeln!(text, "tiers.{tier} = '{retry}'");
    }
    simulate(&read(&text), 1)
}

/// The steps, of 10 ms, in which something was counted, once for each.
pub(crate) fn steps(series: &[u32]) -> Vec<usize> {
    let counts = series.iter().enumerate();
    counts.flat_map(|(step, count)| std::iter::repeat_n(step, *count as usize)).collect()
}

pub(crate) fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// Whether the longest call took so many milliseconds, as exactly as two digits say it.
#[track_caller]
pub(crate) fn assert_took(outcome: &Outcome, millis: u64) {
    let longest = outcome.latency_all.max();
    assert!(
        outcome.latency_all.equivalent(longest, millis * 1_000),
        "{longest} µs in place of {millis} ms"
    );
}

/// `count` as a number that figures are compared with.
#[expect(clippy::cast_precision_loss, reason = "counts far below 2^52")]
pub(crate) const fn number(count: u64) -> f64 {
    count as f64
}
