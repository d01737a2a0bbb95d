//! The engine behind `stormless`. Depend on that crate; this one is an implementation detail and
//! its version is pinned by it.

mod budget;
mod classification;
mod config_error;
mod cut;
mod random;
mod retryable;
mod stop_reason;
mod time;

pub use budget::{Bound, Budget, BudgetSettings, BudgetStats, DeclareError, Withdrawal};
pub use classification::{Classification, Execution, Hint, Kind};
pub use config_error::ConfigError;
pub use cut::{AttemptTimeout, BreakerOpen, Cut, DeadlineExceeded};
pub use random::Uniform;
pub use retryable::Retryable;
pub use stop_reason::StopReason;
pub use time::Moment;

/// What generated code names; not for anyone else.
#[doc(hidden)]
pub mod __private {
    pub use inventory;

    pub use crate::budget::NamedBudget;
    pub use crate::budget::registry::{self, BudgetEntry};
}
