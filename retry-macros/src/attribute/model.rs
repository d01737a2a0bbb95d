//! The settings as typed values. Each keeps the tokens that the user wrote, for errors to point at.

use std::time::Duration;

use proc_macro2::{Ident, TokenStream};
use syn::{Expr, ExprPath, LitStr, Path};

/// What was given; a setting that was not is `None` and costs nothing in the expansion.
#[derive(Default)]
pub(super) struct Settings {
    pub(super) attempts: Option<Setting<Value<Attempts>>>,
    pub(super) backoff: Option<Setting<Backoff>>,
    pub(super) adaptive: Option<Setting<ExprPath>>,
    pub(super) base: Option<Setting<Value<Duration>>>,
    pub(super) max: Option<Setting<Value<Duration>>>,
    pub(super) factor: Option<Setting<Value<f64>>>,
    pub(super) budget: Option<Setting<Budget>>,
    pub(super) budget_key: Option<Setting<Expr>>,
    pub(super) shed: Option<Setting<()>>,
    pub(super) breaker: Option<Setting<Breaker>>,
    pub(super) deadline: Option<Setting<Deadline>>,
    pub(super) attempt_timeout: Option<Setting<Value<Duration>>>,
    pub(super) last_attempt_untimed: Option<Setting<()>>,
    pub(super) cut_error: Option<Setting<Expr>>,
    pub(super) uncut: Option<Setting<()>>,
    pub(super) min_remaining: Option<Setting<Value<Duration>>>,
    pub(super) time_per_attempt: Option<Setting<Value<Duration>>>,
    pub(super) expect: Option<Setting<Quantile>>,
    pub(super) max_retry_after: Option<Setting<Value<Duration>>>,
    pub(super) idempotent: Option<Setting<Idempotent>>,
    pub(super) idempotency_key: Option<Setting<Expr>>,
    pub(super) classify: Option<Setting<Expr>>,
    pub(super) classify_result: Option<Setting<Expr>>,
    pub(super) hedge: Option<Setting<Hedge>>,
    pub(super) hedge_max: Option<Setting<u32>>,
    pub(super) nested: Option<Setting<Nested>>,
    pub(super) inner: Option<Setting<Inner>>,
    pub(super) clone: Option<Setting<Vec<Ident>>>,
    pub(super) on_retry: Option<Setting<Expr>>,
    pub(super) policy: Option<Setting<Policy>>,
    pub(super) name: Option<Setting<LitStr>>,
    pub(super) blocking: Option<Setting<()>>,
    pub(super) krate: Option<Setting<Path>>,
}

/// One setting of the user's.
pub(super) struct Setting<T> {
    pub(super) key: Ident,
    pub(super) value: T,
    /// The value as written, or the key of a flag.
    pub(super) tokens: TokenStream,
    /// Its place among the settings: expressions are evaluated in the order in which they stand.
    pub(super) position: usize,
}

/// Known while the attribute expands, or only to the compiler.
pub(super) enum Value<T> {
    Literal(T),
    Const(ExprPath),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Attempts {
    Count(u32),
    Unlimited,
}

pub(super) enum Backoff {
    BuiltIn(Strategy),
    /// A const `Backoff`.
    Const(ExprPath),
    /// A `fn(&BackoffContext<'_>) -> Duration`.
    Function(ExprPath),
}

impl Backoff {
    pub(super) const fn is_adaptive(&self) -> bool {
        matches!(self, Self::BuiltIn(Strategy::Adaptive))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Strategy {
    FullJitter,
    EqualJitter,
    DecorrelatedJitter,
    Exponential,
    Linear,
    Fibonacci,
    Fixed,
    None,
    Adaptive,
}

impl Strategy {
    pub(super) const ALL: [(&'static str, Self); 9] = [
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
    pub(super) const fn grows_by_factor(self) -> bool {
        matches!(self, Self::FullJitter | Self::EqualJitter | Self::Exponential | Self::Adaptive)
    }
}

pub(super) enum Budget {
    Off,
    Named(LitStr),
    Static(ExprPath),
    Expression(Expr),
}

pub(super) enum Breaker {
    Off,
    Named(LitStr),
    Static(ExprPath),
}

#[derive(Clone, Copy)]
pub(super) enum Quantile {
    P50,
    P75,
    P90,
    P95,
    P99,
}

impl Quantile {
    pub(super) const ALL: [(&'static str, Self); 5] = [
        ("p50", Self::P50),
        ("p75", Self::P75),
        ("p90", Self::P90),
        ("p95", Self::P95),
        ("p99", Self::P99),
    ];
}

pub(super) enum Deadline {
    Off,
    After(Value<Duration>),
    Expression(Expr),
}

pub(super) enum Idempotent {
    Flag,
    Const(Expr),
    Expression(Expr),
}

/// After how long an attempt starts beside a slow one.
pub(super) enum Hedge {
    After(Value<Duration>),
    /// As long as this part of the attempts takes at most.
    Quantile(Quantile),
}

#[derive(Clone, Copy)]
pub(super) enum Nested {
    Suppress,
    Independent,
}

impl Nested {
    pub(super) const ALL: [(&'static str, Self); 2] =
        [("suppress", Self::Suppress), ("independent", Self::Independent)];
}

#[derive(Clone, Copy)]
pub(super) enum Inner {
    Suppress,
    Allow,
}

impl Inner {
    pub(super) const ALL: [(&'static str, Self); 2] =
        [("suppress", Self::Suppress), ("allow", Self::Allow)];
}

pub(super) enum Policy {
    /// A const or a static.
    Const(ExprPath),
    Expression(Expr),
}

impl<T> Setting<Value<T>> {
    /// The literal, if it is one.
    pub(super) const fn literal(&self) -> Option<&T> {
        match &self.value {
            Value::Literal(literal) => Some(literal),
            Value::Const(_) => None,
        }
    }
}

impl Settings {
    /// Whether the body runs at most once whatever happens: then there is no loop.
    pub(super) fn is_single(&self) -> bool {
        self.attempts
            .as_ref()
            .and_then(Setting::literal)
            .is_some_and(|attempts| *attempts == Attempts::Count(1))
    }

    /// The breaker that its attempts ask, if they ask one.
    pub(super) fn breaker(&self) -> Option<&Setting<Breaker>> {
        self.breaker.as_ref().filter(|breaker| !matches!(breaker.value, Breaker::Off))
    }

    /// The key that makes it possible that an attempt is refused before it starts.
    pub(super) fn refusing(&self) -> Option<&Ident> {
        let breaker = self.breaker().map(|breaker| &breaker.key);
        breaker.or_else(|| self.shed.as_ref().map(|shed| &shed.key))
    }

    /// Whether its attempts pass a gate.
    pub(super) fn has_gate(&self) -> bool {
        self.breaker().is_some() || self.expect.is_some() || self.shed.is_some()
    }

    /// Whether it is kept how long attempts take: only delays depend on it.
    pub(super) fn keeps_latency(&self) -> bool {
        let adaptive = self.backoff.as_ref().is_some_and(|backoff| backoff.value.is_adaptive());
        adaptive && !self.is_single()
    }

    /// The strategy, where it is one of the built-in ones or the default.
    pub(super) fn strategy(&self) -> Option<Strategy> {
        match (&self.backoff, &self.policy) {
            (Some(Setting { value: Backoff::BuiltIn(strategy), .. }), _) => Some(*strategy),
            (None, None) => Some(Strategy::FullJitter),
            _ => None,
        }
    }
}
