//! What a site retries, how often and how fast.

mod read;
mod shared;
mod status_bases;

use std::time::Duration;

use crate::{Backoff, ConfigError};

pub use shared::{SharedPolicy, shared_policy};

/// What an annotated function does when it is called inside another one's attempt.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Nested, Policy};
///
/// // Its retries are wanted wherever it is called from, such as a heartbeat.
/// const HEARTBEAT: Policy = Policy::new().nested(Nested::Independent);
/// assert!(HEARTBEAT.is_independent());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Nested {
    /// It runs once; the enclosing call does the retrying.
    #[default]
    Suppress,
    /// It retries by itself, whoever calls it.
    Independent,
}

/// Whether annotated calls inside this function's attempts may retry.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Inner, Policy};
///
/// // A supervising loop: what it calls keeps its own retries.
/// const SUPERVISE: Policy = Policy::new().unlimited().inner(Inner::Allow);
/// assert!(!SUPERVISE.suppresses_inner());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Inner {
    /// They run once per attempt of this function.
    #[default]
    Suppress,
    /// They retry by themselves.
    Allow,
}

/// A retry policy: a plain value, made in `const` context and shared between functions.
///
/// Builders never fail; they remember the first setting that makes no sense, and
/// [`check`](Self::check) returns it. A faulty policy never retries: the call runs once, and the
/// fault is a warning of the site.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Backoff, Policy};
/// use std::time::Duration;
///
/// const CATALOGUE: Policy = Policy::new()
///     .attempts(4)
///     .backoff(Backoff::FullJitter)
///     .base(Duration::from_millis(50))
///     .max(Duration::from_secs(1));
/// assert!(CATALOGUE.check().is_ok());
/// assert_eq!(CATALOGUE.delays().count(), 3);
///
/// // What is in it.
/// assert_eq!(CATALOGUE.max_attempts(), Some(4));
/// assert_eq!(CATALOGUE.strategy().name(), "full_jitter");
/// assert_eq!(CATALOGUE.longest_delay(), Duration::from_secs(1));
/// assert_eq!(CATALOGUE.longest_hint(), Duration::from_secs(5));
/// assert_eq!(CATALOGUE.steps().base(), Duration::from_millis(50));
/// assert_eq!(CATALOGUE.least_remaining(), Duration::ZERO);
/// assert!(!CATALOGUE.is_idempotent() && !CATALOGUE.is_independent());
/// assert!(CATALOGUE.suppresses_inner());
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use = "a policy does nothing until a function uses it"]
pub struct Policy {
    attempts: u32,
    backoff: Backoff,
    base: Duration,
    throttled_base: Option<Duration>,
    max: Option<Duration>,
    factor: f64,
    min_remaining: Duration,
    time_per_attempt: Option<Duration>,
    max_retry_after: Option<Duration>,
    idempotent: bool,
    nested: Nested,
    inner: Inner,
    fault: Option<ConfigError>,
}

/// `max` where nothing is said, unless `base` is longer.
const DEFAULT_MAX: Duration = Duration::from_secs(20);
/// `max_retry_after` where nothing is said, unless `max` is longer.
const DEFAULT_MAX_RETRY_AFTER: Duration = Duration::from_secs(5);
/// The number that stands for "no limit"; counters saturate there.
const UNLIMITED: u32 = u32::MAX;

impl Policy {
    /// Three attempts with full jitter from 50 ms, doubling, up to 20 s.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Policy;
    /// use std::time::Duration;
    ///
    /// const POLICY: Policy = Policy::new();
    /// assert_eq!(POLICY.max_attempts(), Some(3));
    /// assert!(POLICY.delays().all(|delay| delay <= Duration::from_millis(100)));
    /// ```
    pub const fn new() -> Self {
        Self {
            attempts: 3,
            backoff: Backoff::FullJitter,
            base: Duration::from_millis(50),
            throttled_base: None,
            max: None,
            factor: 2.0,
            min_remaining: Duration::ZERO,
            time_per_attempt: None,
            max_retry_after: None,
            idempotent: false,
            nested: Nested::Suppress,
            inner: Inner::Suppress,
            fault: None,
        }
    }

    /// The delays of the AWS SDKs' standard mode of 2026: three attempts, full jitter from 50 ms or, after a
    /// throttled failure, from 1 s, doubling, up to 20 s.
    /// [`Budget::aws_standard`](crate::Budget::aws_standard) is the budget that belongs to it.
    ///
    /// Source: AWS SDKs and Tools Reference Guide, "Retry behavior",
    /// <https://docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html>.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Kind, Policy};
    /// use std::time::Duration;
    ///
    /// const AWS: Policy = Policy::aws_standard();
    /// assert_eq!(AWS.steps_after(Kind::Transient).base(), Duration::from_millis(50));
    /// assert_eq!(AWS.steps_after(Kind::Throttled).base(), Duration::from_secs(1));
    /// ```
    pub const fn aws_standard() -> Self {
        Self::new()
            .attempts(3)
            .backoff(Backoff::FullJitter)
            .base(Duration::from_millis(50))
            .throttled_base(Duration::from_secs(1))
            .max(Duration::from_secs(20))
    }

    /// At most this many attempts, the first call included; from 1, and 3 where nothing is said. 0 is
    /// [`ConfigError::ZeroAttempts`].
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{ConfigError, Policy};
    ///
    /// assert_eq!(Policy::new().attempts(5).delays().count(), 4);
    /// assert_eq!(Policy::new().attempts(0).check(), Err(ConfigError::ZeroAttempts));
    /// ```
    pub const fn attempts(mut self, attempts: u32) -> Self {
        if attempts == 0 {
            return self.with_fault(ConfigError::ZeroAttempts);
        }
        self.attempts = attempts;
        self
    }

    /// No limit on the number of attempts: only classification, deadline and budget end the call. Give it a
    /// deadline or a budget: one without either goes on for as long as the dependency fails.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Policy;
    ///
    /// assert_eq!(Policy::new().unlimited().max_attempts(), None);
    /// ```
    pub const fn unlimited(mut self) -> Self {
        self.attempts = UNLIMITED;
        self
    }

    /// How delays grow and how they are spread; [`Backoff::FullJitter`] where nothing is said. A strategy whose own
    /// numbers make no sense is the fault that [`Backoff::check`] tells.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Backoff, Policy};
    /// use std::time::Duration;
    ///
    /// let policy = Policy::new().attempts(4).backoff(Backoff::Linear).base(Duration::from_secs(1));
    /// let seconds: Vec<u64> = policy.delays().map(|delay| delay.as_secs()).collect();
    /// assert_eq!(seconds, [1, 2, 3]);
    /// ```
    pub const fn backoff(mut self, backoff: Backoff) -> Self {
        self.backoff = backoff;
        match backoff.check() {
            Ok(()) => self,
            Err(fault) => self.with_fault(fault),
        }
    }

    /// The scale of the first delay, before jitter; 50 ms where nothing is said. Above [`max`](Self::max) it is
    /// [`ConfigError::BaseAboveMax`]. Zero makes all delays of most strategies zero.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Backoff, Policy};
    /// use std::time::Duration;
    ///
    /// let policy = Policy::new().backoff(Backoff::Exponential).base(Duration::from_millis(200));
    /// let millis: Vec<u128> = policy.delays().map(|delay| delay.as_millis()).collect();
    /// assert_eq!(millis, [200, 400]);
    /// ```
    pub const fn base(mut self, base: Duration) -> Self {
        self.base = base;
        self
    }

    /// The scale of the first delay after failures that are throttled, where they bring none of their own;
    /// [`base`](Self::base) where nothing is said. Above [`max`](Self::max) it is
    /// [`ConfigError::BaseAboveMax`].
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Kind, Policy};
    /// use std::time::Duration;
    ///
    /// const POLICY: Policy = Policy::new().throttled_base(Duration::from_secs(1));
    /// assert_eq!(POLICY.steps_after(Kind::Throttled).base(), Duration::from_secs(1));
    /// assert_eq!(POLICY.steps_after(Kind::Timeout).base(), Duration::from_millis(50));
    /// ```
    pub const fn throttled_base(mut self, base: Duration) -> Self {
        self.throttled_base = Some(base);
        self
    }

    /// No delay of the backoff is ever longer, jitter included. 20 s where nothing is said, or `base` if that is
    /// longer. What a server asks for is limited by [`max_retry_after`](Self::max_retry_after).
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Backoff, Policy};
    /// use std::time::Duration;
    ///
    /// let policy = Policy::new().attempts(5).backoff(Backoff::Exponential)
    ///     .base(Duration::from_secs(1)).max(Duration::from_secs(3));
    /// let seconds: Vec<u64> = policy.delays().map(|delay| delay.as_secs()).collect();
    /// assert_eq!(seconds, [1, 2, 3, 3]);
    /// ```
    pub const fn max(mut self, max: Duration) -> Self {
        self.max = Some(max);
        self
    }

    /// By what the delay is multiplied from one retry to the next, where the backoff is exponential; finite, at least
    /// 1, and 2 where nothing is said. Anything else is [`ConfigError::Factor`].
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Backoff, ConfigError, Policy};
    /// use std::time::Duration;
    ///
    /// let policy = Policy::new().attempts(4).backoff(Backoff::Exponential)
    ///     .base(Duration::from_secs(1)).factor(3.0);
    /// let seconds: Vec<u64> = policy.delays().map(|delay| delay.as_secs()).collect();
    /// assert_eq!(seconds, [1, 3, 9]);
    /// assert_eq!(policy.factor(0.5).check(), Err(ConfigError::Factor(0.5)));
    /// ```
    pub const fn factor(mut self, factor: f64) -> Self {
        if !(factor.is_finite() && factor >= 1.0) {
            return self.with_fault(ConfigError::Factor(factor));
        }
        self.factor = factor;
        self
    }

    /// No attempt starts with this much time or less left before the deadline; zero where nothing is said. Calls without
    /// a deadline do not ask.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Policy, deadline};
    /// use std::time::Duration;
    ///
    /// const POLICY: Policy = Policy::new().min_remaining(Duration::from_millis(200));
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// let in_100_ms = deadline::within(Duration::from_millis(100), async {
    ///     POLICY.run(async || Ok::<_, std::io::Error>("answered")).await
    /// });
    /// let refused = in_100_ms.await.unwrap().unwrap_err();
    /// assert_eq!(refused.kind(), std::io::ErrorKind::TimedOut);
    /// # }
    /// ```
    pub const fn min_remaining(mut self, time: Duration) -> Self {
        self.min_remaining = time;
        self
    }

    /// Attempts are also limited to the time left at the start divided by this, rounded down; above zero. Where nothing
    /// is said there is no such limit, but with an adaptive backoff it is 100 ms. Calls without a deadline do not ask.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Policy;
    /// use std::time::Duration;
    ///
    /// const POLICY: Policy = Policy::new().attempts(5).time_per_attempt(Duration::from_millis(300));
    /// assert_eq!(POLICY.attempts_within(Duration::from_secs(1)), 3);
    /// ```
    pub const fn time_per_attempt(mut self, time: Duration) -> Self {
        if time.is_zero() {
            return self.with_fault(ConfigError::ZeroDuration("time_per_attempt"));
        }
        self.time_per_attempt = Some(time);
        self
    }

    /// A server that asks for a longer wait ends the call; above zero. 5 s where nothing is said, or `max` if
    /// that is longer. Such a call stops with [`StopReason::RetryAfterTooLong`](crate::StopReason::RetryAfterTooLong).
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{ConfigError, Policy};
    /// use std::time::Duration;
    ///
    /// const PATIENT: Policy = Policy::new().max_retry_after(Duration::from_secs(60));
    /// assert_eq!(PATIENT.longest_hint(), Duration::from_secs(60));
    /// assert_eq!(
    ///     PATIENT.max_retry_after(Duration::ZERO).check(),
    ///     Err(ConfigError::ZeroDuration("max_retry_after")),
    /// );
    /// ```
    pub const fn max_retry_after(mut self, wait: Duration) -> Self {
        if wait.is_zero() {
            return self.with_fault(ConfigError::ZeroDuration("max_retry_after"));
        }
        self.max_retry_after = Some(wait);
        self
    }

    /// A repeat is harmless: failures that may have been carried out are retried too.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Policy;
    ///
    /// assert!(Policy::new().idempotent().is_idempotent());
    /// assert!(!Policy::new().is_idempotent());
    /// ```
    pub const fn idempotent(self) -> Self {
        self.idempotent_if(true)
    }

    /// [`idempotent`](Self::idempotent) by a value known at run time.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Policy;
    ///
    /// let method = "GET";
    /// let policy = Policy::new().idempotent_if(matches!(method, "GET" | "PUT" | "DELETE"));
    /// assert!(policy.is_idempotent());
    /// ```
    pub const fn idempotent_if(mut self, idempotent: bool) -> Self {
        self.idempotent = idempotent;
        self
    }

    /// What happens inside another call's attempt; [`Nested::Suppress`] where nothing is said.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Nested, Policy};
    ///
    /// assert!(!Policy::new().is_independent());
    /// assert!(Policy::new().nested(Nested::Independent).is_independent());
    /// ```
    pub const fn nested(mut self, nested: Nested) -> Self {
        self.nested = nested;
        self
    }

    /// Whether annotated calls inside the attempts may retry; [`Inner::Suppress`] where nothing is said.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Inner, Policy};
    ///
    /// assert!(Policy::new().suppresses_inner());
    /// assert!(!Policy::new().inner(Inner::Allow).suppresses_inner());
    /// ```
    pub const fn inner(mut self, inner: Inner) -> Self {
        self.inner = inner;
        self
    }

    pub(crate) const fn with_fault(mut self, fault: ConfigError) -> Self {
        if self.fault.is_none() {
            self.fault = Some(fault);
        }
        self
    }

    /// Whether every setting makes sense.
    ///
    /// # Errors
    ///
    /// The first setting that does not, with its value.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{ConfigError, Policy};
    /// use std::time::Duration;
    ///
    /// let policy = Policy::new().base(Duration::from_secs(2)).max(Duration::from_secs(1));
    /// assert!(matches!(policy.check(), Err(ConfigError::BaseAboveMax { .. })));
    /// ```
    pub const fn check(&self) -> Result<(), ConfigError> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        let max = self.longest_delay();
        if self.base.as_nanos() > max.as_nanos() {
            return Err(ConfigError::BaseAboveMax { base: self.base, max });
        }
        if let Some(base) = self.throttled_base {
            if base.as_nanos() > max.as_nanos() {
                return Err(ConfigError::BaseAboveMax { base, max });
            }
        }
        Ok(())
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self::new()
    }
}
