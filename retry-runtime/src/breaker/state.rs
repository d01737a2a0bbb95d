//! The states of a breaker, as people see them.

use std::fmt;

/// What a breaker does with calls.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Breaker, BreakerState};
///
/// assert_eq!(Breaker::new("orders").state(), BreakerState::Closed);
/// assert_eq!(BreakerState::HalfOpen.label(), "half_open");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BreakerState {
    /// It lets all calls through, and counts.
    Closed,
    /// It refuses all calls until its open time is over.
    Open,
    /// Its open time is over: it lets a few calls through at once, its probes. The first of them that
    /// succeeds closes it, the first that fails opens it again.
    HalfOpen,
    /// It was isolated by hand, and refuses all calls until it is closed by hand.
    Isolated,
}

impl BreakerState {
    /// The state as a metric label, such as `half_open`.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::Open => "open",
            Self::HalfOpen => "half_open",
            Self::Isolated => "isolated",
        }
    }
}

impl fmt::Display for BreakerState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::HalfOpen => "half-open",
            other => other.label(),
        })
    }
}
