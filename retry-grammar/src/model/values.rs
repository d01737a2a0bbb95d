//! The kinds of values that settings take.

use std::time::Duration;

use syn::{Expr, ExprPath, Lit, LitStr};

use crate::value::literal;

/// Known while the settings are read, or only to the compiler.
pub enum Value<T> {
    /// Written out.
    Literal(T),
    /// The path of a const.
    Const(ExprPath),
}

/// The most attempts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempts {
    /// So many: at least 1.
    Count(u32),
    /// No limit.
    Unlimited,
}

/// How delays grow and spread.
pub enum Backoff {
    /// One of the words.
    BuiltIn(Strategy),
    /// A const `Backoff`.
    Const(ExprPath),
    /// A `fn(&BackoffContext<'_>) -> Duration`.
    Function(ExprPath),
}

impl Backoff {
    /// Whether it goes by load and latency.
    #[must_use]
    pub const fn is_adaptive(&self) -> bool {
        matches!(self, Self::BuiltIn(Strategy::Adaptive))
    }
}

/// A backoff that is built in; the documentation of the attribute has the formulas.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// Uniform from zero to a delay that grows by a factor.
    FullJitter,
    /// Half of a delay that grows by a factor, and up to as much again.
    EqualJitter,
    /// Uniform from the base to three times the delay before.
    DecorrelatedJitter,
    /// Grows by a factor.
    Exponential,
    /// Grows by the base.
    Linear,
    /// Grows as Fibonacci's numbers do.
    Fibonacci,
    /// Always the base.
    Fixed,
    /// No delay.
    None,
    /// By load and latency.
    Adaptive,
}

impl Strategy {
    /// Each with its word.
    pub const ALL: [(&'static str, Self); 9] = [
        ("full_jitter", Self::FullJitter),
        ("equal_jitter", Self::EqualJitter),
        ("decorrelated_jitter", Self::DecorrelatedJitter),
        ("exponential", Self::Exponential),
        ("linear", Self::Linear),
        ("fibonacci", Self::Fibonacci),
        ("fixed", Self::Fixed),
        ("none", Self::None),
        ("adaptive", Self::Adaptive),
    ];

    /// Whether its delays grow by `factor`.
    #[must_use]
    pub const fn grows_by_factor(self) -> bool {
        matches!(self, Self::FullJitter | Self::EqualJitter | Self::Exponential | Self::Adaptive)
    }
}

/// What retries are paid from.
pub enum Budget {
    /// Nothing: `none`.
    Off,
    /// The budget of this name.
    Named(LitStr),
    /// The path of a static.
    Static(ExprPath),
    /// What yields a budget.
    Expression(Expr),
}

/// What attempts ask before they start.
pub enum Breaker {
    /// Nothing: `none`.
    Off,
    /// The breaker of this name.
    Named(LitStr),
    /// The path of a static.
    Static(ExprPath),
}

/// A part of a function's attempts, by how long they took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantile {
    /// Half of them.
    P50,
    /// Three of four.
    P75,
    /// Nine of ten.
    P90,
    /// 19 of 20.
    P95,
    /// 99 of 100.
    P99,
}

impl Quantile {
    /// Each with its word.
    pub const ALL: [(&'static str, Self); 5] = [
        ("p50", Self::P50),
        ("p75", Self::P75),
        ("p90", Self::P90),
        ("p95", Self::P95),
        ("p99", Self::P99),
    ];
}

/// When the whole call must be over.
pub enum Deadline {
    /// Never: `none`.
    Off,
    /// So long after its first poll.
    After(Value<Duration>),
    /// What yields a duration or a point in time.
    Expression(Expr),
}

/// Whether a repeat is harmless.
pub enum Idempotent {
    /// Yes: the word alone.
    Flag,
    /// A literal or the path of a const.
    Const(Expr),
    /// Known when the call begins.
    Expression(Expr),
}

impl Idempotent {
    /// Yes or no, where it is written out.
    #[must_use]
    pub fn literal(&self) -> Option<bool> {
        match self {
            Self::Flag => Some(true),
            Self::Const(value) => match literal(value) {
                Some(Lit::Bool(literal)) => Some(literal.value),
                _ => None,
            },
            Self::Expression(_) => None,
        }
    }
}

/// After how long an attempt starts beside a slow one.
pub enum Hedge {
    /// After a fixed time.
    After(Value<Duration>),
    /// As long as this part of the attempts takes at most.
    Quantile(Quantile),
}

/// What a function does inside another one's attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nested {
    /// It runs once.
    Suppress,
    /// It retries by itself.
    Independent,
}

impl Nested {
    /// Each with its word.
    pub const ALL: [(&'static str, Self); 2] =
        [("suppress", Self::Suppress), ("independent", Self::Independent)];
}

/// What annotated functions do inside a function's attempts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inner {
    /// They run once.
    Suppress,
    /// They retry by themselves.
    Allow,
}

impl Inner {
    /// Each with its word.
    pub const ALL: [(&'static str, Self); 2] =
        [("suppress", Self::Suppress), ("allow", Self::Allow)];
}

/// What the other settings start from.
pub enum Policy {
    /// A const or a static.
    Const(ExprPath),
    /// What yields a policy.
    Expression(Expr),
}
