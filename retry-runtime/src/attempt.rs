//! The attempt that is running.

use crate::{IdempotencyKey, RetryId, context, side};

/// The running attempt of the nearest annotated function; from [`current`].
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Policy, current};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let first = async || Ok::<_, std::io::Error>(current().expect("an attempt is running"));
/// let attempt = Policy::new().run(first).await.unwrap();
/// assert_eq!((attempt.number(), attempt.is_retry(), attempt.max()), (1, false, Some(3)));
/// println!("{}", attempt.id());
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt {
    number: u32,
    max: Option<u32>,
    call: u64,
}

/// The attempt that is being polled, or `None` outside of one.
///
/// ```
/// # use retry_runtime as stormless;
/// assert!(stormless::current().is_none(), "no annotated function is running");
/// ```
#[must_use]
pub fn current() -> Option<Attempt> {
    let ambient = context::ambient();
    let attempt =
        || Attempt { number: ambient.attempt(), max: ambient.most(), call: ambient.call() };
    (ambient.call() != 0).then(attempt)
}

impl Attempt {
    /// Its number; the first is 1. Those after the 16,777,215th are told as that one.
    #[must_use]
    pub const fn number(&self) -> u32 {
        self.number
    }

    /// How many attempts its call makes at most, the first included, and less where there was no time for
    /// all at its start. `None` where that is no limit, or 255 and more.
    ///
    /// A call that runs inside another one's attempt makes one, whatever this says, where that one does the
    /// retrying.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Policy, current};
    ///
    /// const POLICY: Policy = Policy::new().attempts(5);
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() {
    /// let max = async || Ok::<_, std::io::Error>(current().and_then(|attempt| attempt.max()));
    /// assert_eq!(POLICY.run(max).await.unwrap(), Some(5));
    /// # }
    /// ```
    #[must_use]
    pub const fn max(&self) -> Option<u32> {
        self.max
    }

    /// Whether an earlier attempt of the same call has failed.
    #[must_use]
    pub const fn is_retry(&self) -> bool {
        self.number > 1
    }

    /// What tells this attempt from all others: for logs, traces and profiles, and for a header by which a
    /// server's logs are joined to ours.
    #[must_use]
    pub fn id(&self) -> RetryId {
        RetryId::new(self.call, self.number)
    }

    /// The key of the logical call: the same on all of its attempts, and inside an enclosing call the
    /// same again when that one repeats. Ask for it inside the attempt first: elsewhere, before that or
    /// after the call has ended, each answer is a new one.
    ///
    /// Several calls of one function inside one attempt are told apart by the order in which they
    /// begin. Where that may differ from attempt to attempt, give `idempotency_key = …` from your data.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Policy, current};
    /// use std::io;
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// let mut keys = Vec::new();
    /// let place_order = async || {
    ///     keys.push(current().unwrap().idempotency_key());
    ///     Err::<(), _>(io::Error::from(io::ErrorKind::ConnectionRefused))
    /// };
    /// let _failed = Policy::new().attempts(2).run_mut(place_order).call().await;
    /// assert_eq!(keys[0], keys[1]);
    /// # }
    /// ```
    #[must_use]
    pub fn idempotency_key(&self) -> IdempotencyKey {
        side::key_of_call(self.call).unwrap_or_else(IdempotencyKey::random)
    }
}
