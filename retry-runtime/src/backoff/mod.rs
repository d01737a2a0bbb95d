//! How long to wait before a retry: pure arithmetic over an index, a few numbers and chance.

mod context;
pub(crate) mod growth;
#[cfg(feature = "adaptive")]
mod shape;
mod steps;

use std::time::Duration;

pub use context::{BackoffContext, DelayInput};
#[cfg(feature = "adaptive")]
pub use shape::{Growth, Shape};
pub use steps::Steps;

#[cfg(feature = "adaptive")]
use crate::adaptive::{Adaptive, AdaptiveReading};
use crate::{ConfigError, Uniform};

/// How the delays of a call are chosen.
///
/// Below, `k` is the index of the retry, 0 for the first; `U(a, b)` is drawn uniformly from `a` to
/// `b`, both included; and `step(k) = min(max, base · factor^k)`. No delay is ever above `max`.
/// Jitter acts on the delay that is drawn, never on the next step; only decorrelated jitter looks
/// at the delay before.
///
/// | strategy | delay before retry `k` |
/// |---|---|
/// | [`FullJitter`](Self::FullJitter) | `U(0, step(k))` |
/// | [`EqualJitter`](Self::EqualJitter) | `step(k)/2 + U(0, step(k)/2)` |
/// | [`DecorrelatedJitter`](Self::DecorrelatedJitter) | `U(base, min(max, 3 · previous))` |
/// | [`Exponential`](Self::Exponential) | `step(k)` |
/// | [`Linear`](Self::Linear) | `min(max, base · (k + 1))` |
/// | [`Fibonacci`](Self::Fibonacci) | `min(max, base · F)` with `F` = 1, 1, 2, 3, 5, … |
/// | [`Fixed`](Self::Fixed) | `min(max, base)` |
/// | [`None`](Self::None) | zero |
/// | [`half_jitter`](Self::half_jitter) | `min(max, step(k) + U(0, 0.5 · step(k)))` |
/// | [`double_jitter`](Self::double_jitter) | `min(max, step(k) + U(0, step(k)))` |
/// | [`exponential_plus`](Self::exponential_plus) | `min(max, base · factor^k + U(0, jitter))` |
/// | `Adaptive` (feature `adaptive`) | between half the step and all of it, or less, as the process and the dependency do |
///
/// Full, equal and decorrelated jitter are those of Marc Brooker, "Exponential Backoff And
/// Jitter", AWS Architecture Blog, 2015. Full jitter spreads callers best, and still does when the
/// steps have reached `max`; the forms that add jitter and are then cut to `max` do not.
///
/// ```
/// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
/// use stormless::{Backoff, engine::Steps};
/// use std::time::Duration;
///
/// let steps = Steps::new(Duration::from_millis(50), Duration::from_secs(1), 2.0);
/// assert_eq!(Backoff::FullJitter.cap(&steps, 0), Duration::from_millis(50));
/// assert_eq!(Backoff::FullJitter.cap(&steps, 4), Duration::from_millis(800));
/// assert_eq!(Backoff::FullJitter.cap(&steps, 5), Duration::from_secs(1));
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub enum Backoff {
    /// Anywhere between zero and the step: `U(0, step(k))`.
    #[default]
    FullJitter,
    /// The upper half of the step: `step(k)/2 + U(0, step(k)/2)`.
    EqualJitter,
    /// Up to three times the delay before: `U(base, min(max, 3 · previous))`. `previous` is `base`
    /// before the first retry, and where it is shorter than `base`. `factor` plays no part.
    DecorrelatedJitter,
    /// The step itself: `step(k)`. Callers that fail together come back together.
    Exponential,
    /// `min(max, base · (k + 1))`, without jitter.
    Linear,
    /// `min(max, base · F)`, `F` being 1, 1, 2, 3, 5, …; without jitter.
    Fibonacci,
    /// Always `min(max, base)`, without jitter.
    Fixed,
    /// No wait at all.
    None,
    /// The step and up to a fraction of it: `min(max, step(k) + U(0, fraction · step(k)))`.
    AdditiveJitter {
        /// The most that is added, as a fraction of the step, from 0 to 1.
        fraction: f64,
    },
    /// The step and up to a fixed time: `min(max, base · factor^k + U(0, jitter))`.
    ExponentialPlus {
        /// The most that is added.
        jitter: Duration,
    },
    /// What the function says, cut to `max`.
    Custom(fn(&BackoffContext<'_>) -> Duration),
    /// By how busy the process is and how the dependency answers, found out after each failure: see
    /// [`adaptive`](crate::adaptive). Where nothing is known, as in [`delay`](Self::delay) itself:
    /// `step(k) · (1 − s) + U(0, step(k) · s)`, with the configuration's least spread `s`.
    #[cfg(feature = "adaptive")]
    Adaptive(&'static Adaptive),
    /// What an adaptive strategy came to for one retry.
    #[cfg(feature = "adaptive")]
    Adapted(Shape),
}

impl Backoff {
    /// Those that a word stands for, which is their [`name`](Self::name), in the order in which they are listed.
    const NAMED: &'static [Self] = &[
        Self::FullJitter,
        Self::EqualJitter,
        Self::DecorrelatedJitter,
        Self::Exponential,
        Self::Linear,
        Self::Fibonacci,
        Self::Fixed,
        Self::None,
        #[cfg(feature = "adaptive")]
        Self::Adaptive(&crate::feature::ADAPTIVE),
    ];

    /// Each strategy that a word stands for, after the word: for overrides, and for `storm-lab`.
    #[doc(hidden)]
    pub fn named() -> impl Iterator<Item = (&'static str, Self)> {
        Self::NAMED.iter().map(|backoff| (backoff.name(), *backoff))
    }

    /// Adds 0 to 50 % of the step: `min(max, step(k) + U(0, 0.5 · step(k)))`.
    ///
    /// Once the step has reached `max`, the delay is always `max` and has no jitter left; from two
    /// thirds of `max` on, part of the delays are `max` exactly. Prefer
    /// [`FullJitter`](Self::FullJitter) where many callers may get that far.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Backoff, Policy};
    /// use std::time::Duration;
    ///
    /// let second = Duration::from_secs(1);
    /// let policy = Policy::new().backoff(Backoff::half_jitter()).base(second);
    /// let first = policy.delays().next().unwrap();
    /// assert!(second <= first && first <= second.mul_f64(1.5));
    /// ```
    pub const fn half_jitter() -> Self {
        Self::AdditiveJitter { fraction: 0.5 }
    }

    /// Adds 0 to 100 % of the step, so up to double it:
    /// `min(max, step(k) + U(0, step(k)))`.
    ///
    /// Loses its jitter at `max` as [`half_jitter`](Self::half_jitter) does.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Backoff, Policy};
    /// use std::time::Duration;
    ///
    /// let second = Duration::from_secs(1);
    /// let policy = Policy::new().backoff(Backoff::double_jitter()).base(second);
    /// let first = policy.delays().next().unwrap();
    /// assert!(second <= first && first <= 2 * second);
    /// ```
    pub const fn double_jitter() -> Self {
        Self::AdditiveJitter { fraction: 1.0 }
    }

    /// Adds up to a fixed time: `min(max, base · factor^k + U(0, jitter))`.
    ///
    /// Long delays are hardly spread, as the jitter does not grow with them, and at `max` there is
    /// none.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Backoff, Policy};
    /// use std::time::Duration;
    ///
    /// // Google Cloud's form: up to a second is added, and no wait is longer than 32 s.
    /// let policy = Policy::new()
    ///     .backoff(Backoff::exponential_plus(Duration::from_secs(1)))
    ///     .base(Duration::from_secs(1))
    ///     .max(Duration::from_secs(32));
    /// let second_retry = policy.delays().nth(1).unwrap();
    /// assert!((2.0..=3.0).contains(&second_retry.as_secs_f64()));
    /// ```
    pub const fn exponential_plus(jitter: Duration) -> Self {
        Self::ExponentialPlus { jitter }
    }

    /// A function of your own; see [`BackoffContext`] for what it is given. What it returns is cut to `max`.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Backoff, BackoffContext, Policy};
    /// use std::time::Duration;
    ///
    /// fn soon_then_late(context: &BackoffContext<'_>) -> Duration {
    ///     if context.retry() == 0 { Duration::from_millis(10) } else { Duration::from_secs(1) }
    /// }
    ///
    /// let policy = Policy::new().backoff(Backoff::custom(soon_then_late));
    /// let millis: Vec<u128> = policy.delays().map(|delay| delay.as_millis()).collect();
    /// assert_eq!(millis, [10, 1000]);
    /// ```
    pub const fn custom(function: fn(&BackoffContext<'_>) -> Duration) -> Self {
        Self::Custom(function)
    }

    /// The current cap: the longest delay that this strategy can give for retry `retry`, 0 for the
    /// first. It does not know what a server asks for.
    ///
    /// For [`DecorrelatedJitter`](Self::DecorrelatedJitter) that is `min(max, base · 3^(k + 1))`,
    /// the longest that any series of draws can have reached; for [`Custom`](Self::Custom) it is
    /// `max`, as nothing else is known.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::{Backoff, engine::Steps};
    /// use std::time::Duration;
    ///
    /// let steps = Steps::new(Duration::from_millis(50), Duration::from_secs(1), 2.0);
    /// assert_eq!(Backoff::EqualJitter.cap(&steps, 2), Duration::from_millis(200));
    /// assert_eq!(Backoff::EqualJitter.cap(&steps, 9), Duration::from_secs(1));
    /// ```
    pub fn cap(&self, steps: &Steps, retry: u32) -> Duration {
        let longest_previous = growth::exponential(steps.base_nanos(), 3.0, retry);
        let (_, longest) = self.range(steps, retry, longest_previous);
        Duration::from_nanos(longest.min(steps.max_nanos()))
    }

    /// The delay before a retry, from zero to `max`.
    ///
    /// Draws once from `random` where the strategy is random and has any room to choose.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::{Backoff, Classification, engine::{DelayInput, Generator, Steps}};
    /// use std::time::Duration;
    ///
    /// let steps = Steps::new(Duration::from_millis(50), Duration::from_secs(1), 2.0);
    /// let failure = Classification::transient();
    /// let third_retry = DelayInput::new(&steps, 2, &failure);
    /// let delay = Backoff::EqualJitter.delay(&third_retry, &mut Generator::seeded(42, 0));
    /// assert!(Duration::from_millis(100) <= delay && delay <= Duration::from_millis(200));
    /// ```
    pub fn delay(&self, input: &DelayInput<'_>, random: &mut dyn Uniform) -> Duration {
        let steps = input.steps();
        let delay = if let Self::Custom(function) = self {
            crate::time::nanos(function(&BackoffContext::new(input, random)))
        } else {
            let (shortest, longest) = self.range(steps, input.retry(), input.previous_nanos());
            draw(shortest, longest, random)
        };
        Duration::from_nanos(delay.min(steps.max_nanos()))
    }

    /// The shortest and the longest delay in nanoseconds, before the cut to `max`.
    fn range(&self, steps: &Steps, retry: u32, previous: u64) -> (u64, u64) {
        let (base, max) = (steps.base_nanos(), steps.max_nanos());
        let always = |delay| (delay, delay);
        match *self {
            Self::FullJitter => (0, steps.exponential(retry)),
            Self::EqualJitter => {
                let step = steps.exponential(retry);
                (step - step / 2, step)
            }
            Self::DecorrelatedJitter => {
                let shortest = base.min(max);
                (shortest, previous.max(shortest).saturating_mul(3).min(max))
            }
            Self::Exponential => always(steps.exponential(retry)),
            Self::Linear => always(growth::linear(base, retry)),
            Self::Fibonacci => always(growth::fibonacci(base, retry)),
            Self::Fixed => always(base),
            Self::None => always(0),
            Self::AdditiveJitter { fraction } => {
                let step = steps.exponential(retry);
                (step, step.saturating_add(growth::scaled(step, fraction)))
            }
            Self::ExponentialPlus { jitter } => {
                let step = steps.exponential(retry);
                (step, step.saturating_add(crate::time::nanos(jitter)))
            }
            Self::Custom(_) => (0, max),
            #[cfg(feature = "adaptive")]
            Self::Adaptive(adaptive) => {
                let calm = adaptive.evaluate(&AdaptiveReading::default());
                calm.backoff().range(steps, retry, previous)
            }
            #[cfg(feature = "adaptive")]
            Self::Adapted(shape) => shape.range(steps, retry),
        }
    }

    /// Whether the strategy's own numbers make sense.
    ///
    /// # Errors
    ///
    /// [`ConfigError::Fraction`] for an additive jitter whose fraction is not between 0 and 1, and the
    /// fault of an adaptive configuration.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Backoff, ConfigError};
    ///
    /// let backoff = Backoff::AdditiveJitter { fraction: 1.5 };
    /// assert_eq!(backoff.check(), Err(ConfigError::Fraction(1.5)));
    /// ```
    pub const fn check(&self) -> Result<(), ConfigError> {
        match *self {
            Self::AdditiveJitter { fraction }
                if fraction.is_nan() || fraction < 0.0 || fraction > 1.0 =>
            {
                Err(ConfigError::Fraction(fraction))
            }
            #[cfg(feature = "adaptive")]
            Self::Adaptive(adaptive) => adaptive.check(),
            _ => Ok(()),
        }
    }

    /// The strategy's name in tables, such as `full_jitter`. Only names with `jitter` and `adaptive` are
    /// random.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Backoff;
    ///
    /// assert_eq!(Backoff::FullJitter.name(), "full_jitter");
    /// ```
    pub const fn name(&self) -> &'static str {
        match self {
            Self::FullJitter => "full_jitter",
            Self::EqualJitter => "equal_jitter",
            Self::DecorrelatedJitter => "decorrelated_jitter",
            Self::Exponential => "exponential",
            Self::Linear => "linear",
            Self::Fibonacci => "fibonacci",
            Self::Fixed => "fixed",
            Self::None => "none",
            Self::AdditiveJitter { .. } => "additive_jitter",
            Self::ExponentialPlus { .. } => "exponential_plus_jitter",
            Self::Custom(_) => "custom",
            #[cfg(feature = "adaptive")]
            Self::Adaptive(_) | Self::Adapted(_) => "adaptive",
        }
    }
}

/// Uniform from `shortest` to `longest`, whatever `random` returns.
fn draw(shortest: u64, longest: u64, random: &mut dyn Uniform) -> u64 {
    match longest.saturating_sub(shortest) {
        0 => shortest,
        width => shortest + random.up_to(width).min(width),
    }
}

#[cfg(test)]
mod tests;
