//! What a delay is computed from.

use std::cell::RefCell;
use std::time::Duration;

use super::Steps;
use crate::time::nanos;
use crate::{Classification, Uniform};

/// What the delay before one retry depends on, besides chance.
///
/// ```
/// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
/// use stormless::{Backoff, Classification, engine::{DelayInput, Generator, Steps}};
/// use std::time::Duration;
///
/// let steps = Steps::new(Duration::from_millis(50), Duration::from_secs(1), 2.0);
/// let failure = Classification::transient();
/// let second_retry = DelayInput::new(&steps, 1, &failure);
/// let delay = Backoff::FullJitter.delay(&second_retry, &mut Generator::fresh());
/// assert!(delay <= Duration::from_millis(100));
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use = "an input does nothing until a delay is asked for"]
pub struct DelayInput<'a> {
    steps: Steps,
    retry: u32,
    attempt: u32,
    previous: Option<Duration>,
    classification: &'a Classification,
}

impl<'a> DelayInput<'a> {
    /// The retry with index `retry`, 0 for the first, after a failure of this class. Where the
    /// class has a base of its own, it takes the place of the one in `steps`.
    ///
    /// The failed attempt is taken to be number `retry + 1`, and no delay to have come before.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::{Classification, engine::{DelayInput, Steps}};
    /// use std::time::Duration;
    ///
    /// let steps = Steps::new(Duration::from_millis(50), Duration::from_secs(1), 2.0);
    /// let slow_down = Classification::throttled().base(Duration::from_millis(500));
    /// let input = DelayInput::new(&steps, 0, &slow_down);
    /// assert_eq!((input.retry(), input.steps().base()), (0, Duration::from_millis(500)));
    /// ```
    pub const fn new(steps: &Steps, retry: u32, classification: &'a Classification) -> Self {
        Self {
            steps: steps.after(classification),
            retry,
            attempt: retry.saturating_add(1),
            previous: None,
            classification,
        }
    }

    /// The number of the attempt that failed, 1 for the first, where it is not `retry + 1`.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::{Classification, engine::{DelayInput, Steps}};
    /// use std::time::Duration;
    ///
    /// let steps = Steps::new(Duration::from_millis(50), Duration::from_secs(1), 2.0);
    /// let failure = Classification::transient();
    /// // The fourth attempt failed, but of its class it is the first failure.
    /// let input = DelayInput::new(&steps, 0, &failure).attempt(4);
    /// assert_eq!(input.retry(), 0);
    /// ```
    pub const fn attempt(mut self, failed: u32) -> Self {
        self.attempt = failed;
        self
    }

    /// The delay before the attempt that failed; `None` before the first retry.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::{Backoff, Classification, engine::{DelayInput, Generator, Steps}};
    /// use std::time::Duration;
    ///
    /// let steps = Steps::new(Duration::from_millis(50), Duration::from_secs(1), 2.0);
    /// let failure = Classification::transient();
    /// let input = DelayInput::new(&steps, 1, &failure).previous(Some(Duration::from_millis(80)));
    /// let longest = Backoff::DecorrelatedJitter.delay(&input, &mut Generator::highest());
    /// assert_eq!(longest, Duration::from_millis(240));
    /// ```
    pub const fn previous(mut self, delay: Option<Duration>) -> Self {
        self.previous = delay;
        self
    }

    /// The numbers that hold for this retry, with the base of the failure's class if it has one.
    pub const fn steps(&self) -> &Steps {
        &self.steps
    }

    /// The index of the retry, 0 for the first.
    pub const fn retry(&self) -> u32 {
        self.retry
    }

    pub(super) const fn previous_nanos(&self) -> u64 {
        match self.previous {
            Some(delay) => nanos(delay),
            None => 0,
        }
    }
}

/// What a backoff function of your own is given.
///
/// What it returns is cut to [`max`](Self::max).
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Backoff, BackoffContext, Kind};
/// use std::time::Duration;
///
/// /// Full jitter, but a lost race is repeated soon.
/// fn eager_on_conflict(context: &BackoffContext<'_>) -> Duration {
///     match context.classification().kind() {
///         Kind::Conflict => context.jitter(Duration::from_millis(5)),
///         _ => context.jitter(context.exponential()),
///     }
/// }
///
/// const BACKOFF: Backoff = Backoff::custom(eager_on_conflict);
/// assert_eq!(BACKOFF.name(), "custom");
///
/// /// All that there is to go by.
/// fn half_as_much_again(context: &BackoffContext<'_>) -> Duration {
///     assert_eq!(context.attempt(), context.retry() + 1);
///     assert!(context.base() <= context.max() && context.factor() >= 1.0);
///     context.previous().map_or(context.base(), |previous| previous.mul_f64(1.5))
/// }
/// let policy = stormless::Policy::new().backoff(Backoff::custom(half_as_much_again));
/// assert_eq!(policy.delays().last(), Some(Duration::from_millis(75)));
/// ```
pub struct BackoffContext<'a> {
    input: &'a DelayInput<'a>,
    random: RefCell<&'a mut dyn Uniform>,
}

impl<'a> BackoffContext<'a> {
    pub(super) fn new(input: &'a DelayInput<'a>, random: &'a mut dyn Uniform) -> Self {
        Self { input, random: RefCell::new(random) }
    }

    /// The index of the retry, 0 for the first.
    pub const fn retry(&self) -> u32 {
        self.input.retry
    }

    /// The number of the attempt that failed, 1 for the first.
    pub const fn attempt(&self) -> u32 {
        self.input.attempt
    }

    /// The base delay: the policy's, or that of the failure's class.
    pub const fn base(&self) -> Duration {
        self.input.steps.base()
    }

    /// The longest delay that will be waited.
    pub const fn max(&self) -> Duration {
        self.input.steps.max()
    }

    /// The policy's factor.
    pub const fn factor(&self) -> f64 {
        self.input.steps.factor()
    }

    /// The delay before the attempt that failed, whether a backoff or a server asked for it; `None`
    /// before the first retry.
    pub const fn previous(&self) -> Option<Duration> {
        self.input.previous
    }

    /// What the failure was classified as.
    pub const fn classification(&self) -> &Classification {
        self.input.classification
    }

    /// `min(max, base · factor^retry)`, without jitter.
    pub fn exponential(&self) -> Duration {
        Duration::from_nanos(self.input.steps.exponential(self.input.retry))
    }

    /// A duration drawn uniformly from zero to `up_to`, both included. Each call draws anew.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Backoff, BackoffContext, Policy};
    /// use std::time::Duration;
    ///
    /// /// A second, and up to a tenth of one.
    /// fn about_a_second(context: &BackoffContext<'_>) -> Duration {
    ///     Duration::from_secs(1) + context.jitter(Duration::from_millis(100))
    /// }
    ///
    /// let policy = Policy::new().backoff(Backoff::custom(about_a_second));
    /// assert!(policy.delays().all(|delay| (1.0..=1.1).contains(&delay.as_secs_f64())));
    /// ```
    pub fn jitter(&self, up_to: Duration) -> Duration {
        let top = nanos(up_to);
        Duration::from_nanos(self.random.borrow_mut().up_to(top).min(top))
    }
}

impl std::fmt::Debug for BackoffContext<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BackoffContext").field("input", self.input).finish_non_exhaustive()
    }
}
