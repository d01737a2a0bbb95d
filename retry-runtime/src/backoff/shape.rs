//! The schedule of one retry whose growth, base and spread were chosen for it.

use std::time::Duration;

use super::{Steps, growth};
use crate::time::nanos;

/// How delays grow from one retry to the next.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::adaptive::Growth;
///
/// assert_eq!(Growth::Linear.name(), "linear");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Growth {
    /// `base · factor^k`.
    #[default]
    Exponential,
    /// `base · (k + 1)`.
    Linear,
}

impl Growth {
    /// As the attribute spells it: `exponential` or `linear`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exponential => "exponential",
            Self::Linear => "linear",
        }
    }
}

impl std::fmt::Display for Growth {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

/// What an [`AdaptiveDecision`](crate::adaptive::AdaptiveDecision) makes of a policy's numbers: growth, a
/// factor on the base, and the spread.
///
/// In one word, so that a policy with one is no larger than any other.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::Backoff;
/// use stormless::adaptive::{Adaptive, AdaptiveReading, Load, Shape};
///
/// let decision = Adaptive::new().evaluate(&AdaptiveReading::new(Load::new().cpu(0.93)));
/// let Backoff::Adapted(shape) = decision.backoff() else { unreachable!() };
/// let _: Shape = shape;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// In millionths.
    base: u32,
    /// In ten-thousandths.
    spread: u16,
    growth: Growth,
}

const OF_BASE: u32 = 1_000_000;
const OF_SPREAD: u16 = 10_000;

impl Shape {
    /// `base` is a factor on the base delay, `spread` the share of the delay that is left to chance. Out of
    /// range goes to the nearest end.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the casts saturate at both ends and take NaN to zero, which is what is wanted"
    )]
    pub(crate) fn new(growth: Growth, base: f64, spread: f64) -> Self {
        Self {
            base: (base * f64::from(OF_BASE)).round() as u32,
            spread: (spread.min(1.0) * f64::from(OF_SPREAD)).round() as u16,
            growth,
        }
    }

    /// The shortest and the longest delay in nanoseconds. The cut to `max` comes before the spread, so
    /// that callers who have got as far as `max` are spread like all others.
    pub(super) fn range(self, steps: &Steps, retry: u32) -> (u64, u64) {
        let base = share(nanos(steps.base()), self.base, OF_BASE);
        let steps = steps.with_base(Duration::from_nanos(base));
        let step = match self.growth {
            Growth::Exponential => steps.exponential(retry),
            Growth::Linear => growth::linear(base, retry).min(steps.max_nanos()),
        };
        (step - share(step, self.spread.into(), OF_SPREAD.into()), step)
    }
}

/// So many parts of it, saturating.
fn share(nanos: u64, parts: u32, of: u32) -> u64 {
    let whole = u128::from(nanos) * u128::from(parts) / u128::from(of);
    u64::try_from(whole).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MILLISECOND: u64 = 1_000_000;

    fn range(shape: Shape, retry: u32) -> (u64, u64) {
        let steps = Steps::new(Duration::from_millis(50), Duration::from_secs(1), 2.0);
        let (shortest, longest) = shape.range(&steps, retry);
        (shortest / MILLISECOND, longest / MILLISECOND)
    }

    #[test]
    fn growth_decides_how_the_step_grows_and_the_cap_comes_before_the_spread() {
        let even = |growth| Shape::new(growth, 1.0, 0.5);
        let exponential: Vec<_> = (0..6).map(|k| range(even(Growth::Exponential), k)).collect();
        assert_eq!(
            exponential,
            [(25, 50), (50, 100), (100, 200), (200, 400), (400, 800), (500, 1000)]
        );
        let linear: Vec<_> = (0..4).map(|k| range(even(Growth::Linear), k)).collect();
        assert_eq!(linear, [(25, 50), (50, 100), (75, 150), (100, 200)]);
        assert_eq!(range(even(Growth::Linear), u32::MAX), (500, 1000));
    }

    #[test]
    fn the_factor_acts_on_the_base() {
        assert_eq!(range(Shape::new(Growth::Exponential, 0.7, 1.0), 0), (0, 35));
        assert_eq!(range(Shape::new(Growth::Linear, 0.7, 1.0), 3), (0, 140));
        assert_eq!(range(Shape::new(Growth::Exponential, 3.0, 1.0), 9), (0, 1000));
    }

    #[test]
    fn the_spread_is_the_share_that_is_left_to_chance() {
        for (spread, wanted) in [(0.0, (50, 50)), (0.1, (45, 50)), (1.0, (0, 50)), (7.0, (0, 50))] {
            assert_eq!(range(Shape::new(Growth::Exponential, 1.0, spread), 0), wanted, "{spread}");
        }
    }

    #[test]
    fn no_number_overflows() {
        let steps = Steps::new(Duration::MAX, Duration::MAX, 2.0);
        for growth in [Growth::Exponential, Growth::Linear] {
            for number in [f64::NAN, f64::INFINITY, -1.0, 1.0, 1e300] {
                let shape = Shape::new(growth, number, number);
                for retry in [0, 1, u32::MAX] {
                    let (shortest, longest) = shape.range(&steps, retry);
                    assert!(shortest <= longest, "{growth} {number} {retry}");
                }
            }
        }
    }
}
