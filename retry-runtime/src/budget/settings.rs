//! What a budget was told to do.

use std::cmp::Ordering;
use std::fmt;
use std::time::Duration;

use super::Budget;
use super::figure::Figure;
use super::window::WHOLE;
use crate::names::Settings;

/// The settings of a budget, in comparable form. Two budgets with equal settings behave alike.
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
    },
}

impl BudgetSettings {
    /// Retries per call in the long run: what an answered call earns, or for a window with share
    /// `r` of all attempts, `r / (1 - r)` for each first attempt.
    #[must_use]
    pub const fn steady_share(&self) -> f64 {
        match *self {
            Self::TokenBucket { ratio, .. } => ratio,
            Self::SlidingWindow { ratio, .. } => ratio / (1.0 - ratio),
        }
    }

    /// Retries that can follow one another while nothing is answered. `None` for a window, where
    /// that grows with the traffic.
    #[must_use]
    pub const fn burst(&self) -> Option<f64> {
        match *self {
            Self::TokenBucket { burst, .. } => Some(burst),
            Self::SlidingWindow { .. } => None,
        }
    }
}

impl Settings for BudgetSettings {
    const KIND: &'static str = "budget";

    /// Smaller is tighter: by steady share, then by burst, where a window's has no limit; then by
    /// what is left, so that the order is total and never depends on who was registered first.
    fn by_tightness(&self, other: &Self) -> Ordering {
        let burst = |settings: &Self| settings.burst().unwrap_or(f64::INFINITY);
        let rest = |settings: &Self| match *settings {
            Self::TokenBucket { .. } => (0, Duration::ZERO),
            Self::SlidingWindow { window, min_samples, .. } => (min_samples, window),
        };
        self.steady_share()
            .total_cmp(&other.steady_share())
            .then_with(|| burst(self).total_cmp(&burst(other)))
            .then_with(|| rest(self).cmp(&rest(other)))
    }
}

impl Budget {
    pub(super) fn settings(&self) -> BudgetSettings {
        #[expect(clippy::cast_precision_loss, reason = "shown and compared, never counted with")]
        let share = |units: u64, of: u64| units as f64 / of as f64;
        let bucket = &self.bucket;
        match &self.window {
            Some(window) => BudgetSettings::SlidingWindow {
                ratio: share(window.share(), WHOLE),
                window: window.length(),
                min_samples: window.min_samples(),
            },
            None => BudgetSettings::TokenBucket {
                burst: share(bucket.capacity(), bucket.retry()),
                ratio: share(bucket.earned(), bucket.retry()),
            },
        }
    }
}

impl fmt::Display for BudgetSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::TokenBucket { burst, ratio } => {
                write!(f, "`burst` {} and `ratio` {}", Figure(burst), Figure(ratio))
            }
            Self::SlidingWindow { ratio, window, min_samples } => write!(
                f,
                "`ratio` {} of attempts, `window` {window:?} and `min_samples` {min_samples}",
                Figure(ratio)
            ),
        }
    }
}
