//! The recovery information of the crate `recoverable`, from and to a [`Classification`]. Feature
//! `recoverable-0-3`, which needs Rust 1.95.
//!
//! | `RecoveryKind` | becomes |
//! |---|---|
//! | `Retry` | transient, may have been executed |
//! | `Unavailable` | throttled, may have been executed |
//! | `Never` | permanent, may have been executed |
//! | `Unknown`, and whatever later versions add | permanent, may have been executed |
//!
//! Its delay becomes the hint, and a delay of zero is no hint. Recovery information does not say whether the
//! operation may have been carried out, so that what is retried needs a policy that is
//! [`idempotent`](crate::Policy::idempotent).
//!
//! | `Classification` | becomes |
//! |---|---|
//! | transient, throttled, timeout, conflict | `Retry`, with the hint as its delay |
//! | permanent, cancelled, or with [`do_not_retry`](Classification::do_not_retry) | `Never` |
//!
//! ```
//! # use retry_runtime as stormless;
//! use recoverable::{Recovery, RecoveryInfo};
//! use stormless::Policy;
//!
//! struct Refused;
//!
//! impl Recovery for Refused {
//!     fn recovery(&self) -> RecoveryInfo {
//!         RecoveryInfo::retry()
//!     }
//! }
//!
//! const POLICY: Policy = Policy::new().idempotent();
//! # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
//! let mut attempts = 0;
//! let answer = POLICY
//!     .run(|| {
//!         attempts += 1;
//!         std::future::ready(if attempts < 3 { Err(Refused) } else { Ok("here") })
//!     })
//!     .classify(stormless::recoverable::classify)
//!     .await;
//! assert_eq!((answer.ok(), attempts), (Some("here"), 3));
//! # }
//! ```

use recoverable::{Recovery, RecoveryInfo, RecoveryKind};

use crate::{Classification, Hint, Kind};

impl From<RecoveryInfo> for Classification {
    fn from(info: RecoveryInfo) -> Self {
        let class = match info.kind() {
            RecoveryKind::Retry => Self::transient().maybe_executed(),
            RecoveryKind::Unavailable => Self::throttled().maybe_executed(),
            // Its documentation asks for caution with what is unknown.
            RecoveryKind::Never | RecoveryKind::Unknown | _ => {
                return Self::permanent().maybe_executed();
            }
        };
        match info.get_delay() {
            Some(delay) => class.retry_after(delay),
            None => class,
        }
    }
}

impl From<Classification> for RecoveryInfo {
    fn from(classification: Classification) -> Self {
        match (classification.kind(), classification.hint()) {
            (Kind::Permanent | Kind::Cancelled, _) | (_, Some(Hint::DoNotRetry)) => Self::never(),
            (_, Some(Hint::RetryAfter(wait))) => Self::retry().delay(wait),
            // Being throttled is among what it means by `retry`, too.
            (_, None) => Self::retry(),
        }
    }
}

/// What an error says about its recovery, for `classify = stormless::recoverable::classify`.
///
/// ```
/// # use retry_runtime as stormless;
/// use recoverable::{Recovery, RecoveryInfo};
/// use stormless::{Kind, recoverable::classify};
///
/// struct Busy;
///
/// impl Recovery for Busy {
///     fn recovery(&self) -> RecoveryInfo {
///         RecoveryInfo::retry()
///     }
/// }
///
/// assert_eq!(classify(&Busy).kind(), Kind::Transient);
/// ```
pub fn classify<E: Recovery + ?Sized>(error: &E) -> Classification {
    error.recovery().into()
}

/// What a whole result says, for `classify_result = stormless::recoverable::classify_result`: a value whose
/// recovery is `Never` or `Unknown` is no failure.
///
/// ```
/// # use retry_runtime as stormless;
/// use recoverable::{Recovery, RecoveryInfo};
/// use stormless::{Kind, recoverable::classify_result};
///
/// struct Busy;
///
/// impl Recovery for Busy {
///     fn recovery(&self) -> RecoveryInfo {
///         RecoveryInfo::retry()
///     }
/// }
///
/// let answered: Result<Busy, Busy> = Ok(Busy);
/// assert_eq!(classify_result(&answered).unwrap().kind(), Kind::Transient);
/// ```
pub fn classify_result<T: Recovery, E: Recovery>(result: &Result<T, E>) -> Option<Classification> {
    match result {
        Ok(value) => match value.recovery() {
            info if matches!(info.kind(), RecoveryKind::Retry | RecoveryKind::Unavailable) => {
                Some(info.into())
            }
            _ => None,
        },
        Err(error) => Some(error.recovery().into()),
    }
}
