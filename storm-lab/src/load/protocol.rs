//! What parent and children write to each other: one JSON value in each line.
//!
//! A child is given its [`Order`] in the first line of its standard input, and then [`GO`] or [`STOP`]. It writes
//! [`Message`]s to its standard output. What it has seen goes out four times a second, as what is new since
//! then, so that little is lost with a child that dies. Times are microseconds since [`GO`].

use std::{collections::BTreeMap, net::SocketAddr};

use serde::{Deserialize, Serialize};

use super::{faults::Schedule, functions::Function};

/// The time begins.
pub const GO: &str = "go";
/// It ends early; what there is is wanted.
pub const STOP: &str = "stop";
/// No line is longer.
pub const LONGEST_LINE: u64 = 4 << 20;

/// What a child is to do.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Order {
    /// It is the server.
    Serve(ServerOrder),
    /// It is one of the clients.
    Call(ClientOrder),
}

/// A server. It chooses its port itself, on loopback.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ServerOrder {
    /// Requests that are served at once.
    pub workers: u32,
    /// How long one takes.
    pub service_us: u64,
    /// How often each request goes round the loop that costs CPU time.
    pub rounds: u32,
    /// Requests that may wait; more are answered with a 503.
    pub queue: u32,
    /// Requests are no longer accepted after so many.
    pub most_requests: u64,
    /// What goes wrong.
    pub schedule: Schedule,
    /// Which requests are lost.
    pub seed: u64,
}

/// A client.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ClientOrder {
    /// Whom it calls, on loopback.
    pub server: SocketAddr,
    /// By which function.
    pub function: Function,
    /// Calls a second.
    pub rate: f64,
    /// How long it makes calls.
    pub length_us: u64,
    /// It makes no more of them.
    pub most_calls: u64,
    /// When calls begin.
    pub seed: u64,
    /// Which of the clients it is.
    pub number: u32,
}

/// What a child says.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Message {
    /// It can begin; the server says where it listens.
    Ready {
        /// `None` from clients.
        address: Option<SocketAddr>,
    },
    /// What the server has seen since it last said so.
    Served(Served),
    /// What a client has seen since it last said so.
    Called(Called),
    /// Nothing more will come.
    Done,
    /// It cannot do what it is to do.
    Refused {
        /// Why.
        why: String,
    },
}

/// Counts by steps of 10 ms; those without any are left out.
pub type Steps = BTreeMap<u32, u32>;

/// What a server has seen.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Served {
    /// When it said so.
    pub at_us: u64,
    /// Requests that came in, the lost and the refused ones too.
    pub arrived: u64,
    /// Requests that were served to their end.
    pub served: u64,
    /// Of these, those whose client had gone.
    pub wasted: u64,
    /// Requests that were lost before they were served.
    pub lost: u64,
    /// Answers that were lost.
    pub unanswered: u64,
    /// Requests that got a 503 in an outage.
    pub failed: u64,
    /// Requests that got a 503 because the queue was full.
    pub refused: u64,
    /// The time that all workers together spent serving.
    pub busy_us: u64,
    /// Requests that wait at this moment, those that are held included.
    pub waiting: u64,
    /// When requests were served whose client still waited.
    pub in_time: Steps,
}

/// What a client has seen.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Called {
    /// When it said so.
    pub at_us: u64,
    /// When calls began.
    pub calls: Steps,
    /// When calls began that succeeded in the end.
    pub succeeded: Steps,
    /// When calls began that failed in the end.
    pub failed: Steps,
    /// When attempts began, the first ones included.
    pub attempts: Steps,
    /// When calls began, once for each of their attempts.
    pub attempts_of_calls: Steps,
    /// When attempts began that were not their call's first.
    pub retries: Steps,
    /// When calls began, and how long they took to succeed, in microseconds.
    pub took: Vec<(u32, u32)>,
    /// When calls began, and how long they took to fail, in microseconds.
    pub failed_after: Vec<(u32, u32)>,
    /// Why calls were not repeated, by production's labels.
    pub stops: BTreeMap<String, u64>,
    /// How attempts failed, by the adapter's labels.
    pub failures: BTreeMap<String, u64>,
    /// Retries that the budget has granted.
    pub granted: u64,
    /// Retries that it has refused.
    pub refused: u64,
    /// How full the budget is, from 0 to 1.
    pub budget: Option<f64>,
    /// Calls in progress, at most.
    pub most_concurrent: u64,
    /// How late a call began, at most, after the moment that was drawn for it.
    pub latest_us: u64,
}

/// One more in the step of this moment.
pub fn count(steps: &mut Steps, at: std::time::Duration) {
    let step = u32::try_from(crate::outcome::Series::step(at)).unwrap_or(u32::MAX);
    let count = steps.entry(step).or_default();
    *count = count.saturating_add(1);
}
