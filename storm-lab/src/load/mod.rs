//! An experiment with real sockets: clients that call functions annotated with `#[retry]`, and a server that can do
//! only so much, each in a process of its own, on loopback.
//!
//! It shows on a real network stack what the simulator computes: that retries without a budget keep a server down
//! that a stall has filled, and that budgeted ones let it recover. Losses differ from those of the built-in scenarios
//! in one point: here the connection is closed, so that a client hears of it at once.

mod as_scenario;
mod child;
mod client;
mod experiment;
pub mod faults;
mod functions;
mod ledger;
mod measure;
mod measured;
mod process;
mod progress;
pub mod protocol;
mod report;
pub mod server;
mod settings;
mod tally;

use std::net::SocketAddr;

pub use as_scenario::NAME;
pub use child::child;
pub use client::{ATTEMPT_TIMEOUT, Arrivals};
pub use experiment::run;
pub use faults::Faults;
pub use functions::Function;
pub use ledger::Ledger;
pub use measure::Usage;
pub use process::{PARENT, SUBCOMMAND};
pub use progress::{ArmSecond, Second};
pub use report::{Arm, Report};
pub use settings::{ABOUT, Arguments, MOST_REQUESTS, Refusal, Settings};

/// Why there is no result at all.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// What was asked for makes no sense, or is too much.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A socket, a pipe or a process could not be made.
    #[error("the system refused a socket, a pipe or a process: {0}")]
    System(#[from] std::io::Error),
    /// The client could not be made.
    #[error("the HTTP client could not be made: {0}")]
    Client(#[from] reqwest::Error),
    /// A child was sent elsewhere.
    #[error("a client must call 127.0.0.1 and nothing else, and was told to call {0}")]
    NotLoopback(SocketAddr),
    /// A child did not understand its order.
    #[error("an order must be one line of JSON; `load-child` is not for use by hand: {0}")]
    Order(#[source] serde_json::Error),
    /// A child did not start.
    #[error("a child process did not become ready within 20 s: {0}")]
    NotReady(String),
    /// A histogram could not be made.
    #[error("a histogram could not be made: {0}")]
    Histogram(#[from] hdrhistogram::CreationError),
    /// A policy that is compiled in cannot be read as text.
    #[error("the attribute of `{function}` cannot be read: {why}")]
    Policy {
        /// Which.
        function: Function,
        /// What is wrong with it.
        why: String,
    },
    /// It was stopped before it had begun.
    #[error("stopped before the first call")]
    Stopped,
}
