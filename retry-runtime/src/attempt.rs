//! The attempt that is running.

use crate::{IdempotencyKey, context, side};

/// The running attempt of the nearest annotated function; from [`current`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt {
    number: u32,
}

/// The attempt that is being polled, or `None` outside of one.
///
/// ```
/// assert!(retry_runtime::current().is_none(), "no annotated function is running");
/// ```
#[must_use]
pub fn current() -> Option<Attempt> {
    let ambient = context::ambient();
    (ambient.call != 0).then_some(Attempt { number: ambient.attempt })
}

impl Attempt {
    /// Its number; the first is 1.
    #[must_use]
    pub const fn number(&self) -> u32 {
        self.number
    }

    /// Whether an earlier attempt of the same call has failed.
    #[must_use]
    pub const fn is_retry(&self) -> bool {
        self.number > 1
    }

    /// The key of the logical call: the same on all of its attempts, and inside an enclosing call the
    /// same again when that one repeats. Ask for it inside the attempt.
    #[must_use]
    pub fn idempotency_key(&self) -> IdempotencyKey {
        side::current_key().unwrap_or_else(IdempotencyKey::random)
    }
}
