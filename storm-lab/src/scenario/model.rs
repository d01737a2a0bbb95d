//! What a scenario says, once it was read and checked. Durations are simulated time.

use std::{fmt, time::Duration};

use super::Distribution;
use crate::{attribute::Attribute, budget::BudgetSpec};

/// Clients, what they call, what goes wrong, and the policies that are compared.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// The file's stem, or `L2` and the like.
    pub name: String,
    /// One line.
    pub title: String,
    /// What it teaches, in a few sentences.
    pub about: String,
    /// As it was written; empty if it was not read from a text.
    pub source: String,
    /// How long calls keep coming. What has begun by then is followed to its end.
    pub duration: Duration,
    /// From when to when it is counted.
    pub window: Window,
    /// One simulation for each of them and each policy.
    pub seeds: Vec<u64>,
    /// What is simulated.
    pub work: Work,
    /// What is compared; the first is what the others are divided by.
    pub policies: Vec<PolicySpec>,
}

/// A span of simulated time: `from` is in it, `to` is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The first moment.
    pub from: Duration,
    /// The first moment after it.
    pub to: Duration,
}

/// What kind of work the clients do.
#[derive(Clone, Debug)]
pub enum Work {
    /// They call services.
    Services(Topology),
    /// They all change one row, and repeat what somebody else's change made void.
    Row(Contention),
}

/// Clients, services and faults.
#[derive(Clone, Debug)]
pub struct Topology {
    /// Who calls.
    pub clients: Clients,
    /// What is called; the first is what clients call, and what a tier calls comes after it.
    pub tiers: Vec<Tier>,
    /// What goes wrong.
    pub faults: Vec<Fault>,
    /// The place, among all, of the tier whose attempts and load are shown first.
    pub watch: usize,
}

/// Who calls the first tier.
#[derive(Clone, Debug)]
pub struct Clients {
    /// How many processes; each has budgets and breakers of its own.
    pub processes: u32,
    /// Calls a second of each process, at random moments, whatever becomes of earlier ones (open loop).
    pub rate: f64,
    /// Callers of each process that call again after their last call has ended (closed loop).
    pub callers: u32,
    /// How long such a caller waits in between; at least a millisecond after a call that took no time.
    pub think: Distribution,
    /// Calls that come together.
    pub waves: Vec<Wave>,
}

/// Calls that come together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wave {
    /// When the first of them may come.
    pub at: Duration,
    /// How many.
    pub calls: u32,
    /// Over how long they are spread at random; zero: all in one instant.
    pub within: Duration,
}

/// One service, and the annotated function with which it is called.
#[derive(Clone, Debug)]
pub struct Tier {
    /// Its name, by which faults and policies speak of it.
    pub name: String,
    /// How many functions call it, each with a budget of its own where the policy names none; a call takes one
    /// at random.
    pub sites: u32,
    /// After how long the client gives up an attempt; the failure is a timeout that may have been executed.
    pub timeout: Option<Duration>,
    /// One way over the network.
    pub latency: Distribution,
    /// What answers; `None`: at once, without limits.
    pub server: Option<Server>,
    /// What an attempt calls after the server has answered, in this order.
    pub calls: Vec<Edge>,
}

/// Workers behind a queue.
#[derive(Clone, Debug)]
pub struct Server {
    /// How many requests are served at once.
    pub workers: u32,
    /// How long one takes.
    pub service: Distribution,
    /// How many may wait; more are refused at once with a 503. `None`: any number.
    pub queue: Option<u32>,
    /// Whether a request is dropped, instead of served, once its client has given up.
    pub shed: bool,
    /// How many endpoints share the workers evenly, each with a queue of its own.
    pub endpoints: u32,
}

/// Calls from one tier to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The place of the tier that is called among all.
    pub tier: usize,
    /// How often.
    pub times: u32,
    /// All at once, or one after the other; the first failure fails the attempt.
    pub parallel: bool,
    /// Whether the callee does not know that it is called from within an attempt, as across processes whose
    /// requests carry no headers.
    pub apart: bool,
}

/// Something that goes wrong with one tier for a while.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// The place of the tier among all.
    pub tier: usize,
    /// From when to when; `to` may be after the end, and is [`Window::NEVER`] where the file says no end.
    pub window: Window,
    /// What.
    pub kind: FaultKind,
}

/// What goes wrong.
#[derive(Clone, Debug, PartialEq)]
pub enum FaultKind {
    /// Requests, or responses, are lost; the client hears nothing.
    Loss {
        /// The share of requests that never reach the server.
        request: f64,
        /// The share of responses that never reach the client; the work was done.
        response: f64,
    },
    /// Requests are held, and arrive together when it ends.
    Stall,
    /// Each request is answered with this status after this time, and not served.
    Outage {
        /// An HTTP status, classified as production does.
        status: u16,
        /// How soon.
        after: Distribution,
        /// What the answer asks for.
        retry_after: Option<Duration>,
        /// The share of requests for which this happens, from 0 to 1.
        share: f64,
    },
    /// Serving takes so many times as long.
    Slow {
        /// 2: twice as long.
        factor: f64,
    },
    /// So many of the server's endpoints answer with 503 at once.
    Endpoints {
        /// The first so many.
        down: u32,
    },
    /// Requests above so many a second are answered with 429.
    Throttle {
        /// Requests a second that are let through.
        limit: f64,
        /// What the answer asks for.
        retry_after: Option<Duration>,
    },
    /// Of the calls that one attempt makes one after the other, those of this number and above are answered
    /// with 503.
    Page {
        /// From 1.
        number: u32,
    },
}

/// Clients that change one row in turns, after Amazon's simulator of contention: read, then write, each over the
/// network; a write fails if another one came between.
#[derive(Clone, Debug)]
pub struct Contention {
    /// How many, each with one change.
    pub clients: u32,
    /// One way over the network.
    pub latency: Distribution,
}

/// What is compared.
#[derive(Clone, Debug)]
pub struct PolicySpec {
    /// Its name in tables and plots.
    pub name: String,
    /// For all tiers that `tiers` does not name.
    pub attribute: Attribute,
    /// By the place of the tier.
    pub tiers: Vec<(usize, Attribute)>,
    /// What budgets of these names are; others are default buckets.
    pub budgets: Vec<(String, BudgetSpec)>,
    /// What calls without a named budget have; `None`: the default bucket.
    pub own_budget: Option<BudgetSpec>,
    /// What the client makes of a `Retry-After`.
    pub hints: Hints,
}

/// What a client makes of a `Retry-After`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hints {
    /// Hands it to the policy, as the adapters do.
    #[default]
    Honoured,
    /// Sleeps exactly so long by itself, and then fails: what is written by hand.
    Slept,
    /// Does not look at it.
    Ignored,
}

impl Window {
    /// The end of what does not end: a hundred years, which nanoseconds in 64 bits can count.
    pub const NEVER: Duration = Duration::from_secs(100 * 365 * 86_400);

    /// Whether a moment lies in it.
    pub const fn contains(&self, at: Duration) -> bool {
        at.as_nanos() >= self.from.as_nanos() && at.as_nanos() < self.to.as_nanos()
    }

    /// How long it is.
    pub const fn length(&self) -> Duration {
        self.to.saturating_sub(self.from)
    }
}

impl fmt::Display for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}–{} s", self.from.as_secs_f64(), self.to.as_secs_f64())
    }
}

impl Scenario {
    /// What is thought of as the trigger: the first fault that begins after the start and ends.
    pub fn trigger(&self) -> Option<Window> {
        let Work::Services(topology) = &self.work else { return None };
        trigger(&topology.faults, self.duration).map(|fault| fault.window)
    }

    /// The place of the tier that attempts for each call, utilisation and load are about.
    pub const fn watch(&self) -> usize {
        match &self.work {
            Work::Services(topology) => topology.watch,
            Work::Row(_) => 0,
        }
    }

    /// That tier; `None` where no services are called.
    pub fn watched(&self) -> Option<&Tier> {
        match &self.work {
            Work::Services(topology) => topology.tiers.get(topology.watch),
            Work::Row(_) => None,
        }
    }

    /// Its name, where there are others that could be meant.
    pub fn watched_of_several(&self) -> Option<&str> {
        match &self.work {
            Work::Services(topology) if topology.tiers.len() > 1 => {
                self.watched().map(|tier| tier.name.as_str())
            }
            _ => None,
        }
    }
}

/// The first fault that begins after the start and ends before the scenario does.
pub(super) fn trigger(faults: &[Fault], duration: Duration) -> Option<&Fault> {
    faults.iter().find(|fault| fault.window.to < duration && !fault.window.from.is_zero())
}
