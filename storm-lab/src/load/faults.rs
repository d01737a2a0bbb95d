//! What goes wrong on the server, and when.

use std::time::Duration;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::scenario::Window;

/// Which faults a run has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Faults {
    /// 15 % of requests or answers are lost, from 20 % to 70 % of the time.
    Loss,
    /// Each request gets a 503 after 5 ms, from 30 % to 40 % of the time.
    Outage,
    /// Requests are held from 50 % to 60 % of the time, and served together afterwards.
    Stall,
    /// All three.
    All,
}

/// What may be wrong at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Fault {
    /// Connections are closed instead of an answer.
    Loss {
        /// The share of requests for which nothing is done.
        request: f64,
        /// The share of requests that are served all the same.
        response: f64,
    },
    /// Each request gets a 503, and no worker.
    Outage {
        /// After so many milliseconds.
        after_ms: u64,
    },
    /// Requests are held until it ends.
    Stall,
}

/// When what is wrong, in milliseconds from the start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Schedule {
    total_ms: u64,
    faults: Vec<Planned>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Planned {
    from_ms: u64,
    to_ms: u64,
    fault: Fault,
}

/// A span in which the same faults are in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phase {
    /// `steady`, `loss`, `outage`, `stall` or `recovery`.
    pub name: &'static str,
    /// When.
    pub window: Window,
}

/// What is wrong at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Conditions {
    /// The shares that are lost, requests first.
    pub loss: Option<(f64, f64)>,
    /// How soon each request is refused.
    pub outage: Option<Duration>,
    /// How much longer requests are held.
    pub held: Option<Duration>,
}

const LOSS: Fault = Fault::Loss { request: 0.075, response: 0.075 };
const OUTAGE: Fault = Fault::Outage { after_ms: 5 };

impl Schedule {
    /// The faults of a run that is so long.
    pub fn new(faults: Faults, seconds: u32) -> Self {
        let total_ms = u64::from(seconds) * 1_000;
        let planned = |from: u64, to: u64, fault| Planned {
            from_ms: total_ms * from / 100,
            to_ms: total_ms * to / 100,
            fault,
        };
        let all = [planned(20, 70, LOSS), planned(30, 40, OUTAGE), planned(50, 60, Fault::Stall)];
        let faults = match faults {
            Faults::Loss => all[..1].to_vec(),
            Faults::Outage => all[1..2].to_vec(),
            Faults::Stall => all[2..].to_vec(),
            Faults::All => all.to_vec(),
        };
        Self { total_ms, faults }
    }

    /// Nothing ever goes wrong but this, from one moment to another.
    pub fn only(fault: Fault, from: Duration, to: Duration) -> Self {
        let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let planned = Planned { from_ms: millis(from), to_ms: millis(to), fault };
        Self { total_ms: planned.to_ms, faults: vec![planned] }
    }

    /// What goes wrong when, in the order in which it begins.
    pub fn faults(&self) -> impl DoubleEndedIterator<Item = (Window, Fault)> + '_ {
        self.faults.iter().map(|planned| (planned.window(), planned.fault))
    }

    /// What is wrong at a moment.
    pub fn at(&self, elapsed: Duration) -> Conditions {
        let mut conditions = Conditions::default();
        for planned in self.faults.iter().filter(|planned| planned.window().contains(elapsed)) {
            match planned.fault {
                Fault::Loss { request, response } => conditions.loss = Some((request, response)),
                Fault::Outage { after_ms } => {
                    conditions.outage = Some(Duration::from_millis(after_ms));
                }
                Fault::Stall => conditions.held = Some(planned.window().to.saturating_sub(elapsed)),
            }
        }
        conditions
    }

    /// The run, cut where something begins or ends.
    pub fn phases(&self) -> Vec<Phase> {
        let mut cuts: Vec<u64> =
            self.faults.iter().flat_map(|fault| [fault.from_ms, fault.to_ms]).collect();
        cuts.extend([0, self.total_ms]);
        cuts.retain(|cut| *cut <= self.total_ms);
        cuts.sort_unstable();
        cuts.dedup();
        let first = self.faults.iter().map(|fault| fault.from_ms).min().unwrap_or(u64::MAX);
        cuts.windows(2)
            .map(|ends| {
                let window = window(ends[0], ends[1]);
                let conditions = self.at(window.from);
                let name = match conditions {
                    Conditions { held: Some(_), .. } => "stall",
                    Conditions { outage: Some(_), .. } => "outage",
                    Conditions { loss: Some(_), .. } => "loss",
                    _ if ends[0] < first => "steady",
                    _ => "recovery",
                };
                Phase { name, window }
            })
            .collect()
    }

    /// The name of the phase in which a moment lies.
    pub fn phase(&self, elapsed: Duration) -> &'static str {
        let phases = self.phases();
        phases
            .iter()
            .find(|phase| phase.window.contains(elapsed))
            .map_or("after", |phase| phase.name)
    }

    /// What the service must recover from: the last stall or outage, or else the loss.
    pub fn trigger(&self) -> Option<Window> {
        let hard = |planned: &&Planned| !matches!(planned.fault, Fault::Loss { .. });
        let last = self.faults.iter().rev().find(hard).or(self.faults.last());
        last.map(Planned::window)
    }

    /// From when on the service was as it was just before the trigger.
    pub fn calm_before_trigger(&self) -> Duration {
        let Some(trigger) = self.trigger() else { return Duration::ZERO };
        let before = |phase: &Phase| phase.window.to == trigger.from;
        self.phases().into_iter().find(before).map_or(Duration::ZERO, |phase| phase.window.from)
    }
}

impl Planned {
    const fn window(&self) -> Window {
        window(self.from_ms, self.to_ms)
    }
}

const fn window(from_ms: u64, to_ms: u64) -> Window {
    Window { from: Duration::from_millis(from_ms), to: Duration::from_millis(to_ms) }
}
