//! Made-up scenarios and outcomes, with figures that are easy to work out.

#![allow(dead_code, reason = "each test file uses some of it")]

use std::{collections::BTreeMap, time::Duration};

use hdrhistogram::Histogram;
use retry_runtime::Policy;
use storm_lab::{
    attribute::{Attribute, Payer},
    outcome::{Outcome, Recovery, Series, TierOutcome},
    runner::Results,
    scenario::{
        Clients, Distribution, Fault, FaultKind, Hints, PolicySpec, Scenario, Server, Tier,
        Topology, Window, Work,
    },
};

pub(crate) fn window(from: u64, to: u64) -> Window {
    Window { from: Duration::from_secs(from), to: Duration::from_secs(to) }
}

pub(crate) fn policy(name: &str) -> PolicySpec {
    let attribute = Attribute {
        text: "attempts = 3".to_owned(),
        policy: Policy::new(),
        budget: Payer::Own,
        breaker: None,
        attempt_timeout: None,
        deadline: None,
    };
    PolicySpec {
        name: name.to_owned(),
        attribute,
        tiers: Vec::new(),
        budgets: Vec::new(),
        own_budget: None,
        hints: Hints::Honoured,
    }
}

pub(crate) fn tier(name: &str, with_server: bool) -> Tier {
    let server = Server {
        workers: 10,
        service: Distribution::Fixed(Duration::from_millis(10)),
        queue: None,
        shed: false,
        endpoints: 1,
    };
    Tier {
        name: name.to_owned(),
        sites: 1,
        timeout: None,
        latency: Distribution::ZERO,
        server: with_server.then_some(server),
        calls: Vec::new(),
    }
}

/// Two tiers, a stall from 5 s to 6 s, counted from 4 s to 20 s.
pub(crate) fn scenario(policies: &[&str], seeds: &[u64]) -> Scenario {
    let clients = Clients {
        processes: 2,
        rate: 10.0,
        callers: 0,
        think: Distribution::ZERO,
        waves: Vec::new(),
    };
    let stall = Fault { tier: 1, window: window(5, 6), kind: FaultKind::Stall };
    Scenario {
        name: "storm".to_owned(),
        title: "a stall of one second".to_owned(),
        about: "What a second without answers does.".to_owned(),
        source: String::new(),
        duration: Duration::from_secs(20),
        window: window(4, 20),
        seeds: seeds.to_vec(),
        work: Work::Services(Topology {
            clients,
            tiers: vec![tier("front", false), tier("store", true)],
            faults: vec![stall],
            watch: 1,
        }),
        policies: policies.iter().map(|name| policy(name)).collect(),
    }
}

/// 1,000 calls, of which `succeeded` took 1 ms to 100 ms in equal shares, with this many attempts at the store.
pub(crate) fn outcome(
    policy: &str,
    seed: u64,
    succeeded: u64,
    attempts: u64,
    recovery: Recovery,
) -> Outcome {
    let mut latency = Histogram::new(3).unwrap();
    for call in 0..succeeded {
        latency.record((call % 100 + 1) * 1_000).unwrap();
    }
    let mut series = Series::default();
    for retry in 0..attempts.saturating_sub(1_000) {
        // All in the first second of the window, a tenth of them in one step.
        let at = if retry % 10 == 0 { 4_000 } else { 4_010 + retry % 99 * 10 };
        Series::add(&mut series.retries, Duration::from_millis(at));
    }
    series.budget = vec![1.0, 0.25];
    series.inner_budgets = vec![Vec::new(), vec![0.5, 0.125]];
    let front = TierOutcome {
        name: "front".to_owned(),
        calls: 1_000,
        attempts: 1_000,
        ..TierOutcome::default()
    };
    let store = TierOutcome {
        name: "store".to_owned(),
        calls: 1_000,
        attempts,
        arrived: attempts,
        served: 800,
        wasted: 200,
        utilisation: 0.5,
        granted: attempts.saturating_sub(1_000),
        refused: 7,
    };
    Outcome {
        scenario: "storm".to_owned(),
        policy: policy.to_owned(),
        seed,
        window: window(4, 20),
        trigger: Some(window(5, 6)),
        calls: 1_000,
        succeeded,
        tiers: vec![front, store],
        watch: 1,
        latency_all: latency.clone(),
        latency,
        stops: BTreeMap::from([("attempts_exhausted", 1_000 - succeeded)]),
        recovery,
        series,
        notes: Vec::new(),
        events: 4_100,
        most_concurrent: 12,
        peak_1ms: Some(12),
        first_retry: None,
        too_early: None,
    }
}

pub(crate) fn seconds(seconds: u64) -> Recovery {
    Recovery::After(Duration::from_secs(seconds))
}

/// A naive policy that never recovers with one seed of three, and one that always does.
pub(crate) fn results() -> Results {
    let scenario = scenario(&["naive", "ratio"], &[1, 2, 3]);
    let outcomes = vec![
        outcome("naive", 1, 500, 3_000, seconds(9)),
        outcome("naive", 2, 400, 4_000, Recovery::Never),
        outcome("naive", 3, 600, 3_500, seconds(4)),
        outcome("ratio", 1, 900, 1_100, seconds(2)),
        outcome("ratio", 2, 1_000, 1_000, seconds(1)),
        outcome("ratio", 3, 950, 1_050, seconds(0)),
    ];
    Results { scenario, outcomes, failures: Vec::new(), complete: true }
}
