//! The settings as typed values. Each keeps the tokens that the user wrote, for errors to point at.

mod values;

use std::time::Duration;

use proc_macro2::{Ident, TokenStream};
use syn::{Expr, ExprPath, LitStr, Path};

pub use values::{
    Attempts, Backoff, Breaker, Budget, Deadline, Hedge, Idempotent, Inner, Nested, Policy,
    Quantile, Strategy, Value,
};

/// What was given; a setting that was not is `None` and costs nothing in the expansion.
#[derive(Default)]
pub struct Settings {
    /// The most attempts, the first call included.
    pub attempts: Option<Setting<Value<Attempts>>>,
    /// How delays grow and spread.
    pub backoff: Option<Setting<Backoff>>,
    /// What backoff `"adaptive"` goes by: a const or static.
    pub adaptive: Option<Setting<ExprPath>>,
    /// The scale of the first delay.
    pub base: Option<Setting<Value<Duration>>>,
    /// The longest delay of the backoff.
    pub max: Option<Setting<Value<Duration>>>,
    /// Growth per retry: finite, at least 1.
    pub factor: Option<Setting<Value<f64>>>,
    /// What every retry is paid from.
    pub budget: Option<Setting<Budget>>,
    /// What tells one bucket under the budget from another.
    pub budget_key: Option<Setting<Expr>>,
    /// Whether the budget may refuse a call before its first attempt.
    pub shed: Option<Setting<()>>,
    /// What each attempt asks before it starts.
    pub breaker: Option<Setting<Breaker>>,
    /// For the whole call.
    pub deadline: Option<Setting<Deadline>>,
    /// For one attempt.
    pub attempt_timeout: Option<Setting<Value<Duration>>>,
    /// Whether the last attempt has no timeout.
    pub last_attempt_untimed: Option<Setting<()>>,
    /// How an attempt that was cut reports itself: a path or a closure.
    pub cut_error: Option<Setting<Expr>>,
    /// Accepts that the deadline does not end a running attempt.
    pub uncut: Option<Setting<()>>,
    /// No attempt starts with this much time or less left.
    pub min_remaining: Option<Setting<Value<Duration>>>,
    /// By what the time left at the start is divided into attempts.
    pub time_per_attempt: Option<Setting<Value<Duration>>>,
    /// No attempt starts that would not end in time, by what so many took lately.
    pub expect: Option<Setting<Quantile>>,
    /// The longest wait that a server may ask for.
    pub max_retry_after: Option<Setting<Value<Duration>>>,
    /// Whether a repeat is harmless.
    pub idempotent: Option<Setting<Idempotent>>,
    /// The key that attempts of one call share.
    pub idempotency_key: Option<Setting<Expr>>,
    /// Speaks for the error: a path or a closure.
    pub classify: Option<Setting<Expr>>,
    /// Speaks for the whole result: a path or a closure.
    pub classify_result: Option<Setting<Expr>>,
    /// When another attempt starts beside a slow one.
    pub hedge: Option<Setting<Hedge>>,
    /// How many attempts may start beside the first: at least 1.
    pub hedge_max: Option<Setting<u32>>,
    /// What the function does inside another one's attempt.
    pub nested: Option<Setting<Nested>>,
    /// What annotated functions do inside its attempts.
    pub inner: Option<Setting<Inner>>,
    /// The arguments that each attempt gets a clone of.
    pub clone: Option<Setting<Vec<Ident>>>,
    /// Called before each wait: a path or a closure.
    pub on_retry: Option<Setting<Expr>>,
    /// What the other settings start from.
    pub policy: Option<Setting<Policy>>,
    /// The name in reports, tables and metrics.
    pub name: Option<Setting<LitStr>>,
    /// Whether the function is no async one.
    pub blocking: Option<Setting<()>>,
    /// Where the crate is found.
    pub krate: Option<Setting<Path>>,
}

/// One setting of the user's.
pub struct Setting<T> {
    /// The word before `=`, or the flag.
    pub key: Ident,
    /// What it says.
    pub value: T,
    /// The value as written, or the key of a flag.
    pub tokens: TokenStream,
    /// Its place among the settings: expressions are evaluated in the order in which they stand.
    pub position: usize,
}

impl<T> Setting<Value<T>> {
    /// The literal, if it is one.
    #[must_use]
    pub const fn literal(&self) -> Option<&T> {
        match &self.value {
            Value::Literal(literal) => Some(literal),
            Value::Const(_) => None,
        }
    }
}

impl Settings {
    /// Whether the body runs at most once whatever happens: then there is no loop.
    #[must_use]
    pub fn is_single(&self) -> bool {
        self.attempts
            .as_ref()
            .and_then(Setting::literal)
            .is_some_and(|attempts| *attempts == Attempts::Count(1))
    }

    /// The breaker that its attempts ask, if they ask one.
    #[must_use]
    pub fn breaker(&self) -> Option<&Setting<Breaker>> {
        self.breaker.as_ref().filter(|breaker| !matches!(breaker.value, Breaker::Off))
    }

    /// The key that makes it possible that an attempt is refused before it starts.
    #[must_use]
    pub fn refusing(&self) -> Option<&Ident> {
        let breaker = self.breaker().map(|breaker| &breaker.key);
        breaker.or_else(|| self.shed.as_ref().map(|shed| &shed.key))
    }

    /// Whether its attempts pass a gate.
    #[must_use]
    pub fn has_gate(&self) -> bool {
        self.breaker().is_some() || self.expect.is_some() || self.shed.is_some()
    }

    /// Whether it is kept how long attempts take: only delays depend on it.
    #[must_use]
    pub fn keeps_latency(&self) -> bool {
        let adaptive = self.backoff.as_ref().is_some_and(|backoff| backoff.value.is_adaptive());
        adaptive && !self.is_single()
    }

    /// The strategy, where it is one of the built-in ones or the default.
    #[must_use]
    pub fn strategy(&self) -> Option<Strategy> {
        match (&self.backoff, &self.policy) {
            (Some(Setting { value: Backoff::BuiltIn(strategy), .. }), _) => Some(*strategy),
            (None, None) => Some(Strategy::FullJitter),
            _ => None,
        }
    }
}
