//! The rules of `check`, on fewer seeds than it takes, and that they notice what is wrong.

use std::time::Duration;

use storm_lab::{
    check,
    outcome::{Outcome, Recovery},
    runner::{self, Job, Silent},
    scenario::{Scenario, builtin},
    sim::Watch,
};

/// What a debug build can simulate in seconds, with so many seeds.
const SMALL: [(&str, usize); 8] = [
    ("L3", 10),
    ("L4", 1),
    ("L6", 10),
    ("L7", 10),
    ("L8-shed", 1),
    ("L9", 2),
    ("L10-outage", 2),
    ("L10-page", 1),
];

fn simulated(name: &str, seeds: usize) -> (Scenario, Vec<Outcome>) {
    let mut scenario = builtin(name).expect("it comes with the program").scenario().unwrap();
    scenario.seeds.truncate(seeds);
    let one = std::num::NonZero::<usize>::MIN;
    let results = runner::run(&Job::all(&scenario), one, &Watch::default(), &Silent);
    let outcomes = results.into_iter().flat_map(|results| results.outcomes).collect();
    (scenario, outcomes)
}

/// Ways in which figures may be wrong.
const SPOILT: &[fn(&mut Outcome)] = &[
    |outcome| outcome.tiers.iter_mut().for_each(|tier| tier.attempts *= 10),
    |outcome| outcome.tiers.iter_mut().for_each(|tier| tier.attempts /= 10),
    |outcome| outcome.succeeded = 0,
    |outcome| outcome.succeeded = outcome.calls,
    |outcome| outcome.series.retries.iter_mut().for_each(|count| *count *= 100),
    |outcome| outcome.series.retries.clear(),
    |outcome| outcome.recovery = Recovery::Never,
    |outcome| outcome.recovery = Recovery::After(Duration::from_secs(1_000)),
    |outcome| outcome.peak_1ms = Some(1),
    |outcome| outcome.too_early = Some(Duration::from_millis(1)),
    |outcome| outcome.latency.record_n(3_600_000_000, 1_000_000).unwrap(),
    |outcome| outcome.latency.reset(),
];

/// Every rule holds, and each of them breaks where some figure of some policy is wrong.
fn holds_and_notices(name: &str, seeds: usize) {
    let (scenario, outcomes) = simulated(name, seeds);
    let verdicts = check::verdicts(&scenario, &outcomes);
    assert!(!verdicts.is_empty(), "{name} has no rules");
    let mut noticed = vec![false; verdicts.len()];
    for verdict in &verdicts {
        assert!(
            verdict.passes(),
            "{name}: {} should be {}, and is {}",
            verdict.what,
            verdict.bound,
            verdict.range()
        );
    }
    for policy in &scenario.policies {
        for spoil in SPOILT {
            let mut spoilt = outcomes.clone();
            // One seed is enough.
            if let Some(outcome) = spoilt.iter_mut().find(|outcome| outcome.policy == policy.name) {
                spoil(outcome);
            }
            for (noticed, verdict) in noticed.iter_mut().zip(check::verdicts(&scenario, &spoilt)) {
                *noticed |= !verdict.passes();
            }
        }
    }
    for (noticed, verdict) in noticed.iter().zip(&verdicts) {
        assert!(noticed, "{name}: {} holds whatever is observed", verdict.what);
    }
    for verdict in check::verdicts(&scenario, &[]) {
        assert!(!verdict.passes(), "{name}: {} holds of nothing", verdict.what);
    }
}

#[test]
fn small_scenarios_show_what_they_are_there_to_show() {
    for (name, seeds) in SMALL {
        holds_and_notices(name, seeds);
    }
}

#[test]
fn a_chain_multiplies_and_budgets_and_suppression_do_not() {
    holds_and_notices("L5", 1);
}

#[test]
fn the_metastable_service_stays_down_but_for_those_who_earn_retries() {
    holds_and_notices("L8-280", 1);
}

/// A ninth of L2, which as a whole is for optimised builds: as many calls for each worker.
#[test]
fn a_collapse_ends_with_a_budget_and_not_with_jitter() {
    let collapse = builtin("L2").expect("it comes with the program").text;
    let small = collapse
        .replace("processes = 50", "processes = 5")
        .replace("rate = 30.0", "rate = 33.33")
        .replace("workers = 54", "workers = 6");
    let mut scenario = crate::read(&small);
    assert_ne!(small, collapse);
    scenario.seeds.truncate(1);
    let outcome = |policy: &str| {
        let policy = scenario.policies.iter().find(|known| known.name == policy).unwrap();
        storm_lab::sim::simulate(&scenario, policy, 1, &Watch::default()).unwrap()
    };
    for stuck in ["naive", "full jitter"] {
        let outcome = outcome(stuck);
        assert!(outcome.amplification() >= 3.9, "{stuck}: {}", outcome.amplification());
        assert!(outcome.success() <= 0.0005, "{stuck}: {}", outcome.success());
        assert!(outcome.tiers[0].utilisation >= 0.9, "{stuck}: {}", outcome.tiers[0].utilisation);
        assert_eq!(outcome.recovery, Recovery::Never, "{stuck}");
    }
    for ends in ["ratio", "success"] {
        let outcome = outcome(ends);
        assert!(outcome.amplification() <= 0.29 * 3.9, "{ends}: {}", outcome.amplification());
        let Recovery::After(time) = outcome.recovery else { panic!("{ends}: never") };
        assert!(time <= Duration::from_secs(5), "{ends}: {time:?}");
    }
}
