//! Settings that make no sense.

use std::time::Duration;

/// A setting that cannot be honoured, with the value that was given.
///
/// Builders never fail: they remember the first fault, which `check()` returns. In a `static` the
/// check happens at compile time.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// `attempts` counts the first call, so zero would mean not calling at all.
    #[error("`attempts` is 0: it counts the first call, so the smallest value is 1")]
    ZeroAttempts,
    /// The first delay may not be longer than the longest.
    #[error("`base` ({base:?}) is above `max` ({max:?})")]
    BaseAboveMax {
        /// The base delay that was given.
        base: Duration,
        /// The longest delay that was given.
        max: Duration,
    },
    /// Factors below 1 would shrink the delay, and NaN or infinity mean nothing.
    #[error("`factor` is {0}: it must be a finite number of at least 1")]
    Factor(f64),
    /// Jitter shares are fractions of the delay.
    #[error("the jitter fraction is {0}: it must lie between 0 and 1")]
    Fraction(f64),
    /// A setting of no length.
    #[error("`{0}` is zero: leave it out if it is not wanted")]
    ZeroDuration(&'static str),
    /// What a budget earns for each answered call.
    #[error("`ratio` is {0}: it must be a finite number of at least 0")]
    Ratio(f64),
    /// A budget that can hold nothing.
    #[error(
        "`{0}` is 0: a budget that holds no retry refuses every one; use the off switch for that"
    )]
    ZeroCapacity(&'static str),
    /// The setting belongs to another kind of budget.
    #[error("`{0}` is not a setting of this kind of budget")]
    NotThisBudget(&'static str),
}
