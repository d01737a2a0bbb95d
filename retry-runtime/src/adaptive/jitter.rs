//! How widely delays are spread: the dynamic jitter coefficient, and what it does.

/// The variance, in square milliseconds, from which on it counts in full: a standard deviation of 10 ms.
const FULL_VARIANCE: f64 = 100.0;
const OF_VARIANCE: f64 = 0.7;
const OF_CPU: f64 = 0.3;

/// The dynamic jitter coefficient: `J = 0.7 · min(var(RTT) / 100 ms², 1) + 0.3 · cpu`, in \[0, 1\].
///
/// `variance` is that of the last 32 round trips in square milliseconds, `cpu` the share of the processor
/// in use, from 0 to 1. What is unknown counts as 0, and so do negative numbers and NaN.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::adaptive::jitter_coefficient;
///
/// assert_eq!(jitter_coefficient(None, None), 0.0);
/// assert_eq!(jitter_coefficient(Some(50.0), Some(0.5)), 0.5);
/// assert_eq!(jitter_coefficient(Some(1e9), Some(1.0)), 1.0);
/// ```
#[must_use]
pub fn jitter_coefficient(variance: Option<f64>, cpu: Option<f64>) -> f64 {
    let share = |number: Option<f64>| {
        number.filter(|number| !number.is_nan()).map_or(0.0, |number| number.clamp(0.0, 1.0))
    };
    let variance = share(variance.map(|variance| variance / FULL_VARIANCE));
    OF_VARIANCE * variance + OF_CPU * share(cpu)
}

/// The share of a delay that is left to chance: `least + (1 − least) · J`.
///
/// J alone would be no jitter at all for a calm dependency, whose callers would all come back in one
/// millisecond when it fails. So the least spread always stays, and J adds from there to all of it: with
/// the default least of one half, `J = 0` is equal jitter and `J = 1` full jitter.
pub(super) fn spread(least: f64, coefficient: f64) -> f64 {
    least + (1.0 - least) * coefficient
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-12
    }

    #[test]
    fn the_corners_of_the_coefficient_are_those_of_the_formula() {
        for (variance, cpu, wanted) in [
            (Some(0.0), Some(0.0), 0.0),
            (Some(100.0), Some(0.0), 0.7),
            (Some(0.0), Some(1.0), 0.3),
            (Some(100.0), Some(1.0), 1.0),
            (Some(25.0), Some(0.8), 0.7 * 0.25 + 0.3 * 0.8),
            (Some(101.0), None, 0.7),
            (None, Some(0.9), 0.27),
        ] {
            let coefficient = jitter_coefficient(variance, cpu);
            assert!(close(coefficient, wanted), "{variance:?} {cpu:?}: {coefficient}");
        }
    }

    #[test]
    fn nonsense_counts_as_nothing_or_as_all() {
        for (number, wanted) in [
            (f64::NAN, 0.0),
            (-1.0, 0.0),
            (f64::NEG_INFINITY, 0.0),
            (f64::INFINITY, 1.0),
            (f64::MAX, 1.0),
        ] {
            let coefficient = jitter_coefficient(Some(number), Some(number));
            assert!(close(coefficient, wanted), "{number}: {coefficient}");
        }
    }

    #[test]
    fn the_spread_begins_at_its_least_and_ends_at_all() {
        assert!(close(spread(0.5, 0.0), 0.5) && close(spread(0.5, 1.0), 1.0));
        assert!(close(spread(0.5, 0.5), 0.75) && close(spread(0.0, 0.3), 0.3));
        assert!(close(spread(1.0, 0.0), 1.0));
    }
}
