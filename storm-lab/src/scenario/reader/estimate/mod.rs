//! How much a scenario asks for: more than a day or a large machine's memory is a mistake.

mod endless;
mod load;
mod memory;

use load::Load;

use super::table::Table;
use crate::scenario::{Contention, Scenario, Work};

pub(super) use endless::endless;

/// Events a second on one core, about.
const SPEED: f64 = 5e6;
/// Events of one request, about.
const EVENTS: f64 = 4.0;
/// The longest that a scenario may take on one core, in seconds.
const PATIENCE: f64 = 86_400.0;
/// The most memory that it may take, in bytes.
const MEMORY: f64 = 16e9;
/// What ten milliseconds of a result take, in bytes: six counts.
const STEP: f64 = 24.0;
/// What takes no more than this takes no time, in seconds.
const INSTANT: f64 = 1e-6;

/// What is too much, and the key that says so.
struct Excess {
    key: &'static str,
    message: String,
}

/// Reports what is too much.
pub(super) fn check(table: &Table<'_>, scenario: &Scenario) {
    if let Some(Excess { key, message }) = excess(scenario) {
        match table.get(key) {
            Some(value) => value.wrong_at(value.key.clone(), message),
            None => table.wrong(key, message),
        }
    }
}

/// Whether these scenarios, simulated one after the other by one process, take less than a day on one core each, and
/// together no more memory than a large machine has. A scenario that was read does; with other seeds it may not.
///
/// # Errors
///
/// A message with the remedy.
pub fn affordable<'s>(scenarios: impl IntoIterator<Item = &'s Scenario>) -> Result<(), String> {
    let mut kept = 0.0;
    let mut many = 0;
    for scenario in scenarios {
        if let Some(Excess { message, .. }) = excess(scenario) {
            return Err(format!("`{}`: {message}", scenario.name));
        }
        kept += results(scenario) + left(scenario);
        many += 1;
    }
    if kept <= MEMORY {
        return Ok(());
    }
    Err(format!(
        "what is kept of all simulations of these {many} scenarios comes to about {:.0} GB of memory, of which {:.0} may \
         be used: name fewer scenarios at once, or fewer seeds",
        kept / 1e9,
        MEMORY / 1e9
    ))
}

fn excess(scenario: &Scenario) -> Option<Excess> {
    let endless = match &scenario.work {
        Work::Services(topology) => Load::is_endless(topology),
        Work::Row(_) => false,
    };
    if endless {
        let message = "callers that do not think call a service that takes no time, so calls never end: write \
                       `think = …`, or `latency = …` or `server = …` in [[tier]]";
        return Some(Excess { key: "clients", message: message.into() });
    }
    too_long(scenario).or_else(|| too_large(scenario))
}

fn too_long(scenario: &Scenario) -> Option<Excess> {
    let seeds = count(scenario.seeds.len());
    let (mut most, mut sum, mut repeats) = (0.0_f64, 0.0, 1.0_f64);
    for policy in &scenario.policies {
        let events = match &scenario.work {
            Work::Row(contention) => row(contention),
            Work::Services(topology) => {
                let load = Load::new(topology, policy, scenario.duration);
                repeats = repeats.max(load.repeats());
                load.calls() * load.requests().iter().sum::<f64>() * EVENTS
            }
        };
        most = most.max(events);
        sum += events;
    }
    let time = sum * seeds / SPEED;
    let fewer = if repeats > 10.0 { ", fewer `attempts`" } else { "" };
    (time > PATIENCE).then(|| Excess {
        key: "duration",
        message: format!(
            "this comes to about {most:.1e} events in each of {} simulations, which take about {:.0} days on one core: \
             write a shorter `duration`, fewer `seeds`{fewer}, or a smaller `rate`",
            runs(scenario),
            (time / PATIENCE).ceil()
        ),
    })
}

fn too_large(scenario: &Scenario) -> Option<Excess> {
    let of = |bytes: f64| {
        format!("about {:.0} GB of memory, of which {:.0} may be used", bytes / 1e9, MEMORY / 1e9)
    };
    let (mut clients, mut piles) = (0.0_f64, 0.0_f64);
    match &scenario.work {
        Work::Row(contention) => clients = f64::from(contention.clients) * memory::CALL,
        Work::Services(topology) => {
            for policy in &scenario.policies {
                let load = Load::new(topology, policy, scenario.duration);
                clients = clients.max(memory::clients(&load));
                piles = piles.max(memory::piles(&load));
            }
        }
    }
    let (results, left) = (results(scenario), left(scenario));
    let (key, message) = if clients > MEMORY {
        let remedy = "write fewer `processes`, `callers` or `calls`, or a smaller `rate`";
        ("clients", format!("these clients come to {}: {remedy}", of(clients)))
    } else if clients + piles > MEMORY {
        let remedy = "write more `workers`, a `queue`, fewer `attempts`, or a smaller `rate`";
        let what = "what waits before servers that may get more requests than they serve comes to";
        ("clients", format!("{what} {}: {remedy}", of(piles)))
    } else if results + left <= MEMORY {
        return None;
    } else if results > left {
        let remedy = "write a shorter `duration` or fewer `seeds`";
        let runs = runs(scenario);
        ("duration", format!("the results of {runs} simulations come to {}: {remedy}", of(results)))
    } else {
        let remedy = "write fewer `seeds`, `processes` or `sites`";
        let what = format!(
            "the budgets and breakers of each process stay in memory for ever, and those of {} simulations come to",
            runs(scenario)
        );
        ("clients", format!("{what} {}: {remedy}", of(left)))
    };
    Some(Excess { key, message })
}

/// All results are kept until the last is there.
fn results(scenario: &Scenario) -> f64 {
    scenario.duration.as_secs_f64() * 100.0 * STEP * count(runs(scenario))
}

/// What simulations leave behind, in bytes.
fn left(scenario: &Scenario) -> f64 {
    let Work::Services(topology) = &scenario.work else { return 0.0 };
    let each = scenario
        .policies
        .iter()
        .map(|policy| memory::left(&Load::new(topology, policy, scenario.duration)));
    each.sum::<f64>() * count(scenario.seeds.len())
}

fn runs(scenario: &Scenario) -> usize {
    scenario.seeds.len() * scenario.policies.len()
}

#[expect(clippy::cast_precision_loss, reason = "some thousands")]
fn count(many: usize) -> f64 {
    many as f64
}

/// Each change that is made voids the others' in progress, so there are about half as many tries for each client as
/// there are clients.
fn row(contention: &Contention) -> f64 {
    let clients = f64::from(contention.clients);
    clients * clients / 2.0 * EVENTS
}
