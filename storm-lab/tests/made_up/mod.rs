//! Outcomes that no simulation has had, for what only shows them.

#![allow(dead_code, reason = "each test uses some of it")]

use std::{collections::BTreeMap, time::Duration};

use hdrhistogram::Histogram;
use retry_runtime::Policy;
use storm_lab::{
    attribute::{Attribute, Payer},
    outcome::{Outcome, Recovery, Series, TierOutcome},
    scenario::{
        Clients, Distribution, Edge, Fault, FaultKind, Hints, PolicySpec, Scenario, Server, Tier,
        Topology, Window, Work,
    },
};

/// Numbers that look like chance and are always the same.
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// From 0 to 1.
    #[expect(clippy::cast_precision_loss, reason = "53 bits")]
    pub(crate) fn share(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// About as many as this, as arrivals at random are.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small counts")]
    pub(crate) fn about(&mut self, mean: f64) -> u32 {
        let bell: f64 = (0..6).map(|_| self.share()).sum::<f64>() - 3.0;
        (mean + bell * 1.4 * mean.sqrt()).round().max(0.0) as u32
    }
}

pub(crate) fn policy(name: &str) -> PolicySpec {
    PolicySpec {
        name: name.to_owned(),
        attribute: Attribute {
            text: r#"backoff = "full_jitter", base = "100ms", max = "1s", attempts = 4"#.to_owned(),
            policy: Policy::new(),
            budget: Payer::Own,
            breaker: None,
            attempt_timeout: None,
            deadline: None,
        },
        tiers: Vec::new(),
        budgets: Vec::new(),
        own_budget: None,
        hints: Hints::Honoured,
    }
}

fn tier(name: &str, calls: Vec<Edge>) -> Tier {
    Tier {
        name: name.to_owned(),
        sites: 1,
        timeout: Some(Duration::from_millis(500)),
        latency: Distribution::ZERO,
        server: Some(Server {
            workers: 54,
            service: Distribution::Fixed(Duration::from_millis(10)),
            queue: None,
            shed: false,
            endpoints: 1,
        }),
        calls,
    }
}

/// A service that stalls for five seconds; `tiers` in a chain.
pub(crate) fn scenario(policies: &[&str], tiers: &[&str]) -> Scenario {
    let chain = |at: usize| {
        if at + 1 < tiers.len() {
            vec![Edge { tier: at + 1, times: 1, parallel: false, apart: false }]
        } else {
            Vec::new()
        }
    };
    let stall = Window { from: Duration::from_secs(90), to: Duration::from_secs(95) };
    Scenario {
        name: "L2".to_owned(),
        title: "A stall of five seconds, and what is left of the service after it".to_owned(),
        about: "Retries of a naive policy keep the service down that their calls need. Jitter spreads them and does \
                not make them fewer; a budget does."
            .to_owned(),
        source: "title = \"<b>\"\n[[policy]]\nname = \"a&b\"\n".to_owned(),
        duration: Duration::from_secs(180),
        window: Window { from: Duration::from_secs(90), to: Duration::from_secs(180) },
        seeds: vec![1, 2, 3],
        work: Work::Services(Topology {
            clients: Clients {
                processes: 50,
                rate: 30.0,
                callers: 0,
                think: Distribution::ZERO,
                waves: Vec::new(),
            },
            tiers: tiers.iter().enumerate().map(|(at, name)| tier(name, chain(at))).collect(),
            faults: vec![Fault { tier: tiers.len() - 1, window: stall, kind: FaultKind::Stall }],
            watch: tiers.len() - 1,
        }),
        policies: policies.iter().map(|name| policy(name)).collect(),
    }
}

/// Nothing happened.
pub(crate) fn nothing(scenario: &Scenario, policy: &str, seed: u64) -> Outcome {
    let times = || Histogram::new_with_bounds(1, 3_600_000_000, 2).expect("valid bounds");
    Outcome {
        scenario: scenario.name.clone(),
        policy: policy.to_owned(),
        seed,
        window: scenario.window,
        trigger: scenario.trigger(),
        calls: 0,
        succeeded: 0,
        tiers: Vec::new(),
        watch: scenario.watch(),
        latency: times(),
        latency_all: times(),
        stops: BTreeMap::new(),
        recovery: Recovery::NoTrigger,
        series: Series::default(),
        notes: Vec::new(),
        events: 0,
        most_concurrent: 0,
        peak_1ms: None,
        first_retry: None,
        too_early: None,
    }
}

/// A policy that collapses, or does not, with retries so long after the trigger.
pub(crate) fn outcome(scenario: &Scenario, policy: usize, seed: u64) -> Outcome {
    let collapses = policy < 2;
    let mut chance = Chance::new(seed * 100 + policy as u64);
    let name = &scenario.policies[policy].name;
    let mut made = nothing(scenario, name, seed);
    #[expect(clippy::cast_precision_loss, reason = "a few policies")]
    let after = policy as f64 / 3.0;
    for step in 0..18_000_u32 {
        let at = f64::from(step) / 100.0;
        let (calls, retries, served) = match at {
            _ if at < 90.0 => (15.0, 2.6, 16.8),
            _ if at < 95.0 => (15.0, if collapses { 41.0 } else { 1.4 }, 0.0),
            _ if collapses => (15.0, 44.0, 0.4),
            _ if at < 96.0 + after => (15.0, 1.0 + after, 12.0),
            _ => (15.0, 2.5, 16.5),
        };
        let (calls, retries) = (chance.about(calls), chance.about(retries));
        made.series.calls.push(calls);
        made.series.succeeded.push(if at >= 90.0 && collapses { 0 } else { calls });
        made.series.attempts.push(calls + retries);
        made.series.retries.push(retries);
        made.series.offered.push(calls + retries);
        made.series.served.push(chance.about(served));
        if at >= 90.0 {
            made.calls += u64::from(calls);
            made.succeeded += if collapses { 0 } else { u64::from(calls) * 93 / 100 };
        }
    }
    if !collapses {
        let level = |second: u16| match f64::from(second) {
            at if at < 90.0 => 1.0,
            at if at < 95.0 => (1.0 - (at - 89.0) / 4.0).max(0.0),
            at => ((at - 95.0) / (10.0 + 8.0 * after)).min(1.0),
        };
        #[expect(clippy::cast_possible_truncation, reason = "a share")]
        made.series.budget.extend((0..180).map(|second| level(second) as f32));
    }
    for _ in 0..5_000 {
        let millis = 10.0 + 8.0 * -(1.0 - chance.share()).ln();
        let slow =
            if chance.share() < 0.1 { 500.0 + 100.0 * after + 900.0 * chance.share() } else { 0.0 };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "micros")]
        let micros = ((millis + slow) * 1e3) as u64;
        if collapses {
            made.latency_all.saturating_record(2_300_000 + micros);
        } else {
            made.latency.saturating_record(micros);
            made.latency_all.saturating_record(if slow > 1_300.0 { micros * 2 } else { micros });
        }
    }
    if let Work::Services(topology) = &scenario.work {
        let mut each = made.calls;
        for tier in &topology.tiers {
            each =
                if collapses { each * 3 + seed * 431 } else { each + each / (12 + policy as u64) };
            made.tiers.push(TierOutcome {
                name: tier.name.clone(),
                calls: made.calls,
                attempts: each,
                arrived: each,
                served: each,
                wasted: if collapses { each * 9 / 10 } else { 0 },
                utilisation: if collapses { 0.94 } else { 0.29 },
                granted: if collapses { 0 } else { 7_000 + seed },
                refused: if collapses { 0 } else { 12_345 + seed },
            });
        }
    }
    made.stops.insert("attempts_exhausted", 4_000 + seed);
    made.recovery =
        if collapses { Recovery::Never } else { Recovery::After(Duration::from_secs(seed)) };
    if policy == 2 {
        made.notes.push("the budget of `<orders>` & Co was inactive: 12 of 20 samples".to_owned());
    }
    made.events = 1_000_000;
    made.most_concurrent = 9_000;
    made
}

/// By policy, then by seed.
pub(crate) fn outcomes(scenario: &Scenario) -> Vec<Outcome> {
    let of =
        |policy: usize| scenario.seeds.iter().map(move |seed| outcome(scenario, policy, *seed));
    (0..scenario.policies.len()).flat_map(of).collect()
}

/// A wave of 100 callers that come back together, or not.
pub(crate) fn wave() -> (Scenario, Vec<Outcome>) {
    let mut scenario = scenario(&["fixed 1 s", "full jitter", "equal jitter"], &["backend"]);
    "L3".clone_into(&mut scenario.name);
    "100 callers fail in the same instant".clone_into(&mut scenario.title);
    scenario.duration = Duration::from_millis(2_500);
    scenario.window = Window { from: Duration::ZERO, to: scenario.duration };
    if let Work::Services(topology) = &mut scenario.work {
        topology.faults[0].kind = FaultKind::Outage {
            status: 503,
            after: Distribution::ZERO,
            retry_after: None,
            share: 1.0,
        };
        topology.faults[0].window =
            Window { from: Duration::from_millis(50), to: Duration::from_millis(200) };
        topology.tiers[0].server = None;
    }
    scenario.seeds = vec![7];
    let made = scenario.policies.iter().enumerate().map(|(at, policy)| {
        let mut made = nothing(&scenario, &policy.name, 7);
        let mut chance = Chance::new(7 + at as u64);
        for _ in 0..100 {
            let first = Duration::from_millis(100);
            let later = first
                + match at {
                    0 => Duration::from_secs(1),
                    1 => Duration::from_secs_f64(chance.share()),
                    _ => Duration::from_secs_f64(0.5 + chance.share() / 2.0),
                };
            Series::add(&mut made.series.calls, first);
            Series::add(&mut made.series.offered, first);
            Series::add(&mut made.series.offered, later);
            Series::add(&mut made.series.retries, later);
            Series::add(&mut made.series.served, later);
            let micros = u64::try_from(later.as_micros()).expect("a second");
            made.latency.saturating_record(micros);
            made.latency_all.saturating_record(micros);
        }
        (made.calls, made.succeeded) = (100, 100);
        made.tiers.push(TierOutcome {
            name: "backend".to_owned(),
            calls: 100,
            attempts: 200,
            ..TierOutcome::default()
        });
        made
    });
    let made = made.collect();
    (scenario, made)
}
