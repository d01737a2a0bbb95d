//! What a policy says, as the engine reads it.

use std::time::Duration;

use crate::{
    Backoff, Kind, Steps,
    context::{IDEMPOTENT, INDEPENDENT, SUPPRESS},
    delays::Delays,
    isolation,
};

use super::{DEFAULT_MAX, DEFAULT_MAX_RETRY_AFTER, Inner, Nested, Policy, UNLIMITED};

/// `time_per_attempt` of an adaptive policy where nothing is said.
#[cfg(feature = "adaptive")]
const ADAPTIVE_TIME: Duration = Duration::from_millis(100);

const fn longer(a: Duration, b: Duration) -> Duration {
    if a.as_nanos() > b.as_nanos() { a } else { b }
}

impl Policy {
    /// The most attempts, the first included; `None` if unlimited.
    #[must_use]
    pub const fn max_attempts(&self) -> Option<u32> {
        if self.attempts == UNLIMITED { None } else { Some(self.attempts) }
    }

    /// The backoff strategy.
    #[must_use]
    pub const fn strategy(&self) -> Backoff {
        self.backoff
    }

    /// The longest delay of the backoff.
    #[must_use]
    pub const fn longest_delay(&self) -> Duration {
        match self.max {
            Some(max) => max,
            None => longer(DEFAULT_MAX, self.base),
        }
    }

    /// The longest wait that a server may ask for.
    #[must_use]
    pub const fn longest_hint(&self) -> Duration {
        match self.max_retry_after {
            Some(wait) => wait,
            None => longer(DEFAULT_MAX_RETRY_AFTER, self.longest_delay()),
        }
    }

    /// The numbers of the schedule.
    #[must_use]
    pub const fn steps(&self) -> Steps {
        Steps::new(self.base, self.longest_delay(), self.factor)
    }

    /// The numbers of the schedule after a failure of this kind that brings none of its own.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Kind, Policy};
    /// use std::time::Duration;
    ///
    /// let steps = Policy::aws_standard().steps_after(Kind::Throttled);
    /// assert_eq!(steps.base(), Duration::from_secs(1));
    /// ```
    #[must_use]
    pub const fn steps_after(&self, kind: Kind) -> Steps {
        match (kind, self.throttled_base) {
            (Kind::Throttled, Some(base)) => self.steps().with_base(base),
            _ => self.steps(),
        }
    }

    /// The time that must be left for an attempt to start.
    #[must_use]
    pub const fn least_remaining(&self) -> Duration {
        self.min_remaining
    }

    /// How many attempts fit into `left`, by `time_per_attempt`, rounded down: 0 if not even one does, and
    /// `u32::MAX` where there is no such limit.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Policy;
    /// use std::time::Duration;
    ///
    /// let policy = Policy::new().time_per_attempt(Duration::from_millis(300));
    /// assert_eq!(policy.attempts_within(Duration::from_secs(1)), 3);
    /// assert_eq!(Policy::new().attempts_within(Duration::from_secs(1)), u32::MAX);
    /// ```
    #[must_use]
    pub fn attempts_within(&self, left: Duration) -> u32 {
        let Some(time) = self.time_for_attempt() else { return UNLIMITED };
        u32::try_from(left.as_nanos() / time.as_nanos()).unwrap_or(UNLIMITED)
    }

    /// What an attempt is taken to need; an adaptive policy that says nothing takes it to be 100 ms.
    pub(crate) const fn time_for_attempt(&self) -> Option<Duration> {
        match self.backoff {
            #[cfg(feature = "adaptive")]
            Backoff::Adaptive(_) if self.time_per_attempt.is_none() => Some(ADAPTIVE_TIME),
            _ => self.time_per_attempt,
        }
    }

    /// Whether a repeat is declared harmless.
    #[must_use]
    pub const fn is_idempotent(&self) -> bool {
        self.idempotent
    }

    /// Whether this function retries even inside another call's attempt.
    #[must_use]
    pub const fn is_independent(&self) -> bool {
        matches!(self.nested, Nested::Independent)
    }

    /// Whether annotated calls inside the attempts run once. A function that never repeats itself
    /// leaves retrying to them.
    #[must_use]
    pub const fn suppresses_inner(&self) -> bool {
        matches!(self.inner, Inner::Suppress) && self.attempts != 1
    }

    /// What a call with this policy adds to the context of its attempts.
    #[inline]
    pub(crate) const fn context_flags(&self) -> u32 {
        let independent = if self.is_independent() { INDEPENDENT } else { 0 };
        match (self.suppresses_inner(), self.idempotent) {
            (true, true) => SUPPRESS | IDEMPOTENT | independent,
            (true, false) => SUPPRESS | independent,
            (false, _) => independent,
        }
    }

    /// The delays of one call whose attempts all fail, for a hand-written loop or to look at: jitter
    /// drawn afresh on each call of this function, one item for each retry.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Policy;
    /// use std::time::Duration;
    ///
    /// for delay in Policy::new().attempts(5).delays() {
    ///     assert!(delay <= Duration::from_millis(400));
    /// }
    /// ```
    #[must_use]
    pub fn delays(&self) -> Delays {
        Delays::new(*self, isolation::generator())
    }
}
