//! Settings that make no sense.

use std::time::Duration;

/// A setting that cannot be honoured, with the value that was given.
///
/// Builders never fail: they remember the first fault, which `check()` returns. In a `static` the
/// check happens at compile time.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Budget, ConfigError};
///
/// let fault = Budget::new("orders").ratio(-0.1).check().unwrap_err();
/// assert_eq!(fault, ConfigError::Ratio(-0.1));
/// println!("{fault}");
/// ```
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
    /// Retries that cost nothing would not be limited.
    #[error("`cost` is 0: a retry must cost at least 1 token")]
    ZeroCost,
    /// A bucket that cannot hold what one retry costs.
    #[error("`cost` ({cost}) is above `capacity` ({capacity}): no retry could ever be paid for")]
    CostAboveCapacity {
        /// What a retry costs, in tokens.
        cost: u32,
        /// What the bucket holds, in tokens.
        capacity: u32,
    },
    /// A share of all attempts that is no limit.
    #[error(
        "`ratio` is {0}: as a share of the attempts in a window it must be at least 0 and below 1"
    )]
    Share(f64),
    /// A share of calls that is none, or more than all.
    #[error("`{0}` is {1}: it must be above 0 and at most 1")]
    Rate(&'static str, f64),
    /// A count of nothing.
    #[error("`{0}` is 0: the smallest value is 1")]
    ZeroCount(&'static str),
    /// Factors below 1 would shrink the open time, and NaN or infinity mean nothing.
    #[error("`growth` is {0}: it must be a finite number of at least 1")]
    Growth(f64),
    /// The first open time may not be longer than the longest.
    #[error("`open_for` ({open_for:?}) is above `max_open` ({max_open:?})")]
    OpenAboveMax {
        /// The open time that was given.
        open_for: Duration,
        /// The longest open time that was given.
        max_open: Duration,
    },
    /// The setting belongs to another kind of budget.
    #[error("`{0}` is not a setting of this kind of budget")]
    NotThisBudget(&'static str),
    /// What one call may take of a budget.
    #[error("`per_call` is {0}: it must be above 0 and at most 1")]
    CallShare(f64),
    /// A cost for failures that no retry follows.
    #[error("`cost_of` names a kind of failure that is never retried")]
    NeverRetried,
    /// More budgets above one another than pay together.
    #[error("the budget has too many parents above it: at most {0} budgets pay together")]
    TooManyParents(usize),
    /// A budget that would pay for its own retries again and again.
    #[error("the parents of the budget come round in a circle: one of them must have no parent")]
    CircleOfParents,
    /// A setting beyond its range.
    #[error("`{setting}` is {given}: it must lie between {least} and {most}")]
    OutOfRange {
        /// The setting.
        setting: &'static str,
        /// What was given.
        given: f64,
        /// The smallest value.
        least: f64,
        /// The largest value.
        most: f64,
    },
    /// A setting of an adaptive configuration is out of its range.
    #[error("{requirement}, not {value}")]
    Adaptive {
        /// The value that was given.
        value: f64,
        /// What is wanted.
        requirement: &'static str,
    },
    /// What has no name cannot be referred to, nor shown in a table.
    #[error("the name is empty: give it the name of the dependency")]
    EmptyName,
}

impl ConfigError {
    /// What is wanted, for panics during const evaluation, which cannot format values.
    pub(crate) const fn requirement(&self) -> &'static str {
        match self {
            Self::ZeroAttempts => "`attempts` counts the first call: it must be at least 1",
            Self::BaseAboveMax { .. } => "`base` must not be above `max`",
            Self::Factor(_) => "`factor` must be a finite number of at least 1",
            Self::Fraction(_) => "the jitter fraction must lie between 0 and 1",
            Self::ZeroDuration(_) => {
                "a duration of zero: leave the setting out if it is not wanted"
            }
            Self::Ratio(_) => "`ratio` must be a finite number of at least 0",
            Self::ZeroCapacity(_) => "the budget must hold at least 1 retry",
            Self::ZeroCost => "`cost` must be at least 1 token",
            Self::CostAboveCapacity { .. } => "`cost` must not be above `capacity`",
            Self::Share(_) => "`ratio` of a sliding window must be at least 0 and below 1",
            Self::Rate(..) => "a rate must be above 0 and at most 1",
            Self::ZeroCount(_) => "a count of zero: the smallest value is 1",
            Self::Growth(_) => "`growth` must be a finite number of at least 1",
            Self::OpenAboveMax { .. } => "`open_for` must not be above `max_open`",
            Self::NotThisBudget(_) => "the setting belongs to another kind of budget",
            Self::CallShare(_) => "`per_call` must be above 0 and at most 1",
            Self::NeverRetried => "`cost_of` needs a kind of failure that is ever retried",
            Self::TooManyParents(_) => "too many budgets above one another",
            Self::CircleOfParents => "the parents of the budget come round in a circle",
            Self::OutOfRange { .. } => "a setting of the budget is beyond its range",
            Self::Adaptive { requirement, .. } => requirement,
            Self::EmptyName => "the name must not be empty",
        }
    }
}
