//! What an experiment adds to the figures of a simulation: how long it was seen, what its processes cost, and what
//! happened while what went wrong.

use std::{collections::BTreeMap, time::Duration};

use crate::scenario::Window;

/// What is known of results that were measured rather than simulated.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    /// How long calls were to be made.
    pub asked: Duration,
    /// How long they were.
    pub seen: Duration,
    /// What went wrong with the experiment itself.
    pub troubles: Vec<String>,
    /// By policy, in the order of the results.
    pub costs: Vec<Cost>,
}

/// One policy: its server and its clients.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cost {
    /// The policy.
    pub policy: String,
    /// What its server used.
    pub server: Used,
    /// What its client processes used.
    pub clients: Used,
    /// What became of requests at the server.
    pub requests: Requests,
    /// Calls that failed.
    pub failed: u64,
    /// Calls of which nothing more was heard.
    pub unfinished: u64,
    /// How attempts failed, by the labels of their errors.
    pub failures: BTreeMap<String, u64>,
    /// In the order of time.
    pub phases: Vec<PhaseFigures>,
    /// All of them together.
    pub whole: Option<PhaseFigures>,
}

/// What processes used. `None` where the system does not say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Used {
    /// How many processes there were.
    pub processes: usize,
    /// CPU time of all of them for each second; 1 is one core.
    pub cores: Option<f64>,
    /// The same for each whole second from the start.
    pub by_second: Vec<Option<f64>>,
    /// The most memory that any of them had resident, in KiB.
    pub peak_kib: Option<u64>,
}

/// Requests at the server, by what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Requests {
    /// All that came in.
    pub arrived: u64,
    /// Served to their end.
    pub served: u64,
    /// Of these, those whose client had gone.
    pub wasted: u64,
    /// Lost before they were served.
    pub lost: u64,
    /// Served, and their answers lost.
    pub unanswered: u64,
    /// Answered with 503 in the outage.
    pub failed: u64,
    /// Answered with 503 because the queue was full.
    pub refused: u64,
}

/// A span in which the same was wrong, and the calls that began in it.
#[derive(Clone, Debug, PartialEq)]
pub struct PhaseFigures {
    /// What was wrong, such as `steady`, `loss` or `recovery`.
    pub name: String,
    /// When.
    pub window: Window,
    /// Calls that began.
    pub calls: u64,
    /// The share of these that succeeded; `None` without calls.
    pub success: Option<f64>,
    /// Attempts for each of these calls, whenever they began; `None` without calls.
    pub attempts_per_call: Option<f64>,
    /// The most retries that began in any second.
    pub peak_1s: f64,
    /// Requests that were served in time, a second.
    pub goodput: f64,
    /// The server's cores.
    pub server_cores: Option<f64>,
    /// The cores of all clients together.
    pub clients_cores: Option<f64>,
}

impl Measured {
    /// What this policy cost.
    pub fn cost(&self, policy: &str) -> Option<&Cost> {
        self.costs.iter().find(|cost| cost.policy == policy)
    }

    /// How much of it was seen, for results that are not complete.
    pub fn partial(&self) -> String {
        let (seen, asked) = (self.seen.as_secs_f64(), self.asked.as_secs_f64());
        if self.seen < self.asked {
            format!("{seen:.1} of {asked:.0} s were seen; the figures are of these.")
        } else {
            format!(
                "all {asked:.0} s were seen, but not by all processes; the figures are of what was told."
            )
        }
    }
}
