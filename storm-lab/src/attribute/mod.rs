//! A policy as the attribute says it. (The reader comes with its own branch.)

use std::time::Duration;

use retry_runtime::Policy;

/// A policy as the attribute says it, in production's own types.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// As it was written.
    pub text: String,
    /// What decides.
    pub policy: Policy,
    /// What pays.
    pub budget: Payer,
    /// What is asked before each attempt, by its name.
    pub breaker: Option<String>,
    /// After how long an attempt is ended.
    pub attempt_timeout: Option<Duration>,
    /// For the whole call.
    pub deadline: Option<Duration>,
}

/// What pays for retries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Payer {
    /// A bucket of the function's own.
    Own,
    /// Nothing.
    None,
    /// The budget of this name.
    Named(String),
}
