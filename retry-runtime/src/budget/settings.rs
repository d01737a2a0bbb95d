//! What a budget was told to do.

use std::cmp::Ordering;
use std::fmt;
use std::time::Duration;

use super::figure::Figure;
use super::numbers::Numbers;
use super::window::WHOLE;
use super::{Budget, BudgetOptions, UNITS_OF_FAILURE};
use crate::isolation;
use crate::names::Settings;

/// The settings of a budget, in comparable form. Two budgets with equal settings behave alike.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Budget, BudgetSettings};
///
/// let settings = Budget::new("orders").burst(20).settings();
/// assert!(matches!(settings, BudgetSettings::TokenBucket { .. }));
/// assert_eq!(settings, Budget::new("payments").burst(20).settings());
/// println!("{settings}");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum BudgetSettings {
    /// Starts full; answered calls refill it.
    #[non_exhaustive]
    TokenBucket {
        /// What a full bucket holds, in retries; above 0.
        burst: f64,
        /// What one answered call earns, in retries; at least 0.
        ratio: f64,
        /// What else was said.
        options: BudgetOptions,
    },
    /// Limits the share of retries among the attempts of the recent past.
    #[non_exhaustive]
    SlidingWindow {
        /// The highest share of retries among attempts; at least 0 and below 1.
        ratio: f64,
        /// How far back attempts and retries count; above 0.
        window: Duration,
        /// With fewer attempts than this in the window the ratio does not apply.
        min_samples: u32,
        /// What else was said.
        options: BudgetOptions,
    },
    /// Grants retries while more than half of its tokens are there; failures take one, successes add a
    /// part of one.
    #[non_exhaustive]
    HalfFull {
        /// The tokens of a full one; at least 1.
        max_tokens: u32,
        /// What one success adds, in tokens; above 0.
        ratio: f64,
        /// What else was said.
        options: BudgetOptions,
    },
    /// Deposits and retries expire, and some retries need no deposit.
    #[non_exhaustive]
    ExpiringDeposits {
        /// What one deposit is worth, in retries; at least 0.
        ratio: f64,
        /// How long deposits and retries count; above 0.
        window: Duration,
        /// Retries for each second of the window that need no deposit.
        reserve: u32,
        /// What else was said.
        options: BudgetOptions,
    },
    /// Limits how many of the calls under way are retrying.
    #[non_exhaustive]
    Concurrency {
        /// The highest share; from 0 to 1.
        ratio: f64,
        /// So many may always be.
        min_concurrency: u32,
        /// What else was said.
        options: BudgetOptions,
    },
}

impl BudgetSettings {
    /// Retries per call in the long run, besides what comes by time: what an answered call earns or gets
    /// back, in the cheapest retries; for a window with share `r` of all attempts, `r / (1 - r)` for
    /// each first attempt. Infinite where nothing is ever used up.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Budget;
    ///
    /// assert_eq!(Budget::new("orders").ratio(0.2).settings().steady_share(), 0.2);
    /// ```
    #[must_use]
    pub fn steady_share(&self) -> f64 {
        if self.options().observe_only { f64::INFINITY } else { self.steady() }
    }

    /// The same if it did not only observe.
    pub(super) fn steady(&self) -> f64 {
        match *self {
            Self::TokenBucket { ratio, options, .. } => {
                let earned = ratio / options.cheapest();
                if options.gives_back() { earned.max(1.0) } else { earned }
            }
            Self::SlidingWindow { ratio, .. } => ratio / (1.0 - ratio),
            Self::HalfFull { ratio, .. } | Self::ExpiringDeposits { ratio, .. } => ratio,
            Self::Concurrency { .. } => f64::INFINITY,
        }
    }

    /// Retries, the cheapest, that can follow one another while nothing is answered, besides those of a
    /// floor. `None` where that grows with the traffic or with time.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Budget;
    ///
    /// assert_eq!(Budget::new("orders").burst(20).settings().burst(), Some(20.0));
    /// ```
    #[must_use]
    pub fn burst(&self) -> Option<f64> {
        if self.options().observe_only { None } else { self.at_once() }
    }

    /// The same if it did not only observe.
    pub(super) fn at_once(&self) -> Option<f64> {
        match *self {
            Self::TokenBucket { burst, options, .. } => Some(burst / options.cheapest()),
            // Each retry follows a failure, and the one that leaves half has none.
            Self::HalfFull { max_tokens, .. } => Some((max_tokens.div_ceil(2) - 1).into()),
            _ => None,
        }
    }
}

impl BudgetSettings {
    /// What was said besides the numbers of its kind.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Budget;
    ///
    /// assert!(Budget::new("orders").observe_only().settings().options().observe_only);
    /// ```
    #[must_use]
    pub const fn options(&self) -> BudgetOptions {
        match *self {
            Self::TokenBucket { options, .. }
            | Self::SlidingWindow { options, .. }
            | Self::HalfFull { options, .. }
            | Self::ExpiringDeposits { options, .. }
            | Self::Concurrency { options, .. } => options,
        }
    }

    /// Retries a second that come by time, whatever the balance; 0 if there are none.
    pub(super) fn by_time(&self) -> f64 {
        let floor = self.options().floor.map_or(0, |(per_second, _)| per_second);
        let reserve = match *self {
            Self::ExpiringDeposits { reserve, .. } => reserve,
            _ => 0,
        };
        f64::from(floor) + f64::from(reserve)
    }
}

impl Settings for BudgetSettings {
    const KIND: &'static str = "budget";

    /// Smaller is tighter: by steady share, then by burst, where a window's has no limit; then by
    /// what is left, so that the order is total and never depends on who was registered first.
    fn by_tightness(&self, other: &Self) -> Ordering {
        let burst = |settings: &Self| settings.burst().unwrap_or(f64::INFINITY);
        let rest = |settings: &Self| match *settings {
            Self::SlidingWindow { window, min_samples, .. } => (min_samples, window),
            _ => (0, Duration::ZERO),
        };
        self.steady_share()
            .total_cmp(&other.steady_share())
            .then_with(|| burst(self).total_cmp(&burst(other)))
            .then_with(|| self.by_time().total_cmp(&other.by_time()))
            .then_with(|| rest(self).cmp(&rest(other)))
            .then_with(|| format!("{self:?}").cmp(&format!("{other:?}")))
    }
}

impl Budget {
    /// What is in force: what was declared, and what was overridden since.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Budget;
    ///
    /// assert_eq!(Budget::new("orders").burst(20).settings().burst(), Some(20.0));
    /// ```
    pub fn settings(&self) -> BudgetSettings {
        crate::control::expire_now();
        isolation::view(self).settings_here()
    }

    /// What was declared, whatever is overridden by now.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Budget;
    ///
    /// let budget = Budget::new("orders").burst(20);
    /// assert_eq!(budget.declared_settings(), budget.settings());
    /// ```
    pub fn declared_settings(&self) -> BudgetSettings {
        self.settings_by(&self.declared_numbers())
    }

    /// What is in force for this very object, whatever isolated test asks.
    pub(super) fn settings_here(&self) -> BudgetSettings {
        self.settings_by(&self.numbers())
    }

    fn settings_by(&self, numbers: &Numbers) -> BudgetSettings {
        #[expect(clippy::cast_precision_loss, reason = "shown and compared, never counted with")]
        let share = |units: u64, of: u64| units as f64 / of as f64;
        let options = BudgetOptions::of(self, numbers);
        if let Some(window) = &self.window {
            let (ratio, length) = (share(numbers.share, WHOLE), numbers.length);
            return if window.is_of_deposits() {
                let reserve = numbers.reserve;
                BudgetSettings::ExpiringDeposits { ratio, window: length, reserve, options }
            } else {
                let min_samples = numbers.min_samples;
                BudgetSettings::SlidingWindow { ratio, window: length, min_samples, options }
            };
        }
        if self.options.flight.is_some() {
            let (ratio, min_concurrency) = (share(numbers.share, WHOLE), numbers.min_concurrency);
            return BudgetSettings::Concurrency { ratio, min_concurrency, options };
        }
        let ratio = share(numbers.earned, self.bucket.retry());
        if self.options.half_full {
            let max_tokens = u32::try_from(numbers.capacity / UNITS_OF_FAILURE);
            let max_tokens = max_tokens.unwrap_or(u32::MAX);
            return BudgetSettings::HalfFull { max_tokens, ratio, options };
        }
        let burst = share(numbers.capacity, self.bucket.retry());
        BudgetSettings::TokenBucket { burst, ratio, options }
    }
}

impl fmt::Display for BudgetSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::TokenBucket { burst, ratio, .. } => {
                write!(f, "`burst` {} and `ratio` {}", Figure(burst), Figure(ratio))
            }
            Self::SlidingWindow { ratio, window, min_samples, .. } => write!(
                f,
                "`ratio` {} of attempts, `window` {window:?} and `min_samples` {min_samples}",
                Figure(ratio)
            ),
            Self::HalfFull { max_tokens, ratio, .. } => {
                write!(f, "`max_tokens` {max_tokens} and `token_ratio` {}", Figure(ratio))
            }
            Self::ExpiringDeposits { ratio, window, reserve, .. } => write!(
                f,
                "`ratio` {} of deposits, `window` {window:?} and `reserve` {reserve}",
                Figure(ratio)
            ),
            Self::Concurrency { ratio, min_concurrency, .. } => write!(
                f,
                "`ratio` {} of the calls under way and `min_concurrency` {min_concurrency}",
                Figure(ratio)
            ),
        }?;
        self.options().fmt(f)
    }
}
