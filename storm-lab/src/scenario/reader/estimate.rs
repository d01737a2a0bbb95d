//! How much a scenario asks for: more than a day or a large machine's memory is a mistake.

use std::time::Duration;

use super::{policies::Read, table::Table};
use crate::scenario::{Contention, Tier, Topology, Work};

/// Events a second on one core, about.
const SPEED: f64 = 5e6;
/// Events of one request, about.
const EVENTS: f64 = 4.0;
/// The longest that a scenario may take on one core, in seconds.
const PATIENCE: f64 = 86_400.0;
/// The most memory that it may take, in bytes.
const MEMORY: f64 = 16e9;
/// What a call in progress takes, with its attempts; about, in bytes.
const CALL: f64 = 500.0;
/// What a process takes for each function, with its budget; about, in bytes.
const SITE: f64 = 1_000.0;
/// What ten milliseconds of a result take, in bytes: six counts.
const STEP: f64 = 24.0;
/// What takes no more than this takes no time, in seconds.
const INSTANT: f64 = 1e-6;

/// What is simulated, how long, and how often.
pub(super) struct Size<'s, 'a> {
    pub(super) duration: Duration,
    /// Of each policy.
    pub(super) runs: usize,
    pub(super) policies: &'s [Read<'a>],
}

/// Reports what is too much.
pub(super) fn check(table: &Table<'_>, work: &Work, size: &Size<'_, '_>) {
    #[expect(clippy::cast_precision_loss, reason = "at most 10,000 seeds")]
    let runs = (size.runs * size.policies.len()) as f64;
    let seconds = size.duration.as_secs_f64();
    let place = |key, message: String| match table.get(key) {
        Some(value) => value.wrong_at(value.key.clone(), message),
        None => table.wrong(key, message),
    };
    let (events, memory) = match work {
        Work::Row(contention) => (row(contention), f64::from(contention.clients) * CALL),
        Work::Services(topology) => {
            let Some(calls) = calls(topology, seconds) else {
                place(
                    "clients",
                    "callers that do not think call a service that takes no time, so calls never end: write \
                     `think = …`, or `latency = …` or `server = …` in [[tier]]".into(),
                );
                return;
            };
            endless(topology, size.policies);
            (calls * requests(topology) * EVENTS, memory(topology))
        }
    };
    let time = events * runs / SPEED;
    if time > PATIENCE {
        place(
            "duration",
            format!(
                "this comes to about {events:.1e} events in each of {runs} simulations, which take about {:.0} days on one \
                 core: write a shorter `duration`, fewer `seeds`, or a smaller `rate`",
                (time / PATIENCE).ceil()
            ),
        );
    }
    // All results are kept until the last is there.
    let results = seconds * 100.0 * STEP * runs;
    if memory > MEMORY {
        place(
            "clients",
            format!(
                "these clients come to about {:.0} GB of memory, of which {:.0} may be used: write fewer `processes`, \
                 `callers` or `calls`, or a smaller `rate`",
                memory / 1e9,
                MEMORY / 1e9
            ),
        );
    } else if results > MEMORY {
        place(
            "duration",
            format!(
                "the results of {runs} simulations come to about {:.0} GB of memory, of which {:.0} may be used: write a \
                 shorter `duration` or fewer `seeds`",
                results / 1e9,
                MEMORY / 1e9
            ),
        );
    }
}

/// Each change that is made voids the others' in progress, so there are about half as many tries for each client as
/// there are clients.
fn row(contention: &Contention) -> f64 {
    let clients = f64::from(contention.clients);
    clients * clients / 2.0 * EVENTS
}

/// Calls by clients, at least; `None`: without end.
fn calls(topology: &Topology, seconds: f64) -> Option<f64> {
    let clients = &topology.clients;
    let processes = f64::from(clients.processes);
    let waves: f64 = clients.waves.iter().map(|wave| f64::from(wave.calls)).sum();
    let open = processes * clients.rate * seconds + waves;
    if clients.callers == 0 {
        return Some(open);
    }
    let cycle = clients.think.mean().as_secs_f64() + fold(&topology.tiers, round_trip, true);
    (cycle > INSTANT)
        .then(|| open + processes * f64::from(clients.callers) * (seconds / cycle).max(1.0))
}

/// Requests of one call, at all tiers, without retries.
fn requests(topology: &Topology) -> f64 {
    fold(&topology.tiers, |_| 1.0, false)
}

fn round_trip(tier: &Tier) -> f64 {
    let server = tier.server.as_ref().map_or(0.0, |server| server.service.mean().as_secs_f64());
    2.0 * tier.latency.mean().as_secs_f64() + server
}

/// A figure of the first tier: its own and that of everything that it calls, what it calls at once counted once if
/// it is a time.
fn fold(tiers: &[Tier], own: impl Fn(&Tier) -> f64, time: bool) -> f64 {
    let mut figures = vec![0.0; tiers.len()];
    // What a tier calls comes after it.
    for (at, tier) in tiers.iter().enumerate().rev() {
        let called = tier.calls.iter().map(|edge| {
            let times = if time && edge.parallel { 1.0 } else { f64::from(edge.times) };
            times * figures.get(edge.tier).copied().unwrap_or(0.0)
        });
        figures[at] = own(tier) + called.sum::<f64>();
    }
    figures.first().copied().unwrap_or(0.0)
}

/// What clients take, without what piles up.
fn memory(topology: &Topology) -> f64 {
    let clients = &topology.clients;
    let processes = f64::from(clients.processes);
    let sites: f64 = topology.tiers.iter().map(|tier| f64::from(tier.sites)).sum();
    let waves: f64 = clients.waves.iter().map(|wave| f64::from(wave.calls)).sum();
    let longest = fold(&topology.tiers, round_trip, true);
    let open = processes * clients.rate * longest;
    // Of calls that are made at once, all are in progress.
    let width = topology.tiers.iter().flat_map(|tier| &tier.calls).filter(|edge| edge.parallel);
    let width: f64 = width.map(|edge| f64::from(edge.times)).fold(1.0, f64::max);
    processes * sites * SITE
        + (waves + processes * f64::from(clients.callers) + open) * width * CALL
}

/// Reports policies that would repeat a call without end in a single instant.
fn endless(topology: &Topology, policies: &[Read<'_>]) {
    let quick = |at: usize| {
        topology.tiers.get(at).is_some_and(|tier| tier.latency.mean().as_secs_f64() < INSTANT)
    };
    for Read { spec, places } in policies {
        let named: Vec<usize> = spec.tiers.iter().map(|(tier, _)| *tier).collect();
        let others = (0..topology.tiers.len()).filter(|at| !named.contains(at)).any(quick);
        let of_tiers = spec.tiers.iter().map(|(tier, attribute)| (attribute, quick(*tier)));
        for ((attribute, quick), place) in
            std::iter::once((&spec.attribute, others)).chain(of_tiers).zip(places)
        {
            let policy = &attribute.policy;
            let waits = policy.strategy().cap(&policy.steps(), 0).as_secs_f64() > INSTANT;
            if quick && !waits && policy.max_attempts().is_none() {
                place.wrong(
                    "this repeats calls without end and without a wait, over a network that takes no time: write a \
                     `base`, a number of `attempts`, or `latency = …` in [[tier]]",
                );
            }
        }
    }
}
