//! The engine behind `stormless`. Depend on that crate; this one is an implementation detail and
//! its version is pinned by it.

mod classification;
mod config_error;
mod cut;
mod field;
mod random;
mod retryable;
mod status;
mod stop_reason;
mod time;

pub use classification::{Classification, Execution, Hint, Kind};
pub use config_error::ConfigError;
pub use cut::{AttemptTimeout, BreakerOpen, Cut, DeadlineExceeded};
pub use random::Uniform;
pub use retryable::Retryable;
pub use stop_reason::StopReason;
pub use time::Moment;

/// What generated code names and nobody else should.
#[doc(hidden)]
pub mod __private {
    pub use crate::field::{CutField, StatusField, WaitField, status, with_retry_after};
    pub use crate::status::beside_status;
}
