//! How a delay grows from one retry to the next, in whole nanoseconds that saturate.

/// `base · factor^retry`: exact where the factor is a whole number, within a few parts in 10^15
/// per retry elsewhere, and never smaller than for the retry before. A factor below 1 or NaN acts
/// like 1.
pub(crate) fn exponential(base: u64, factor: f64, retry: u32) -> u64 {
    if factor.is_nan() || factor <= 1.0 {
        base
    } else if factor.fract() == 0.0 {
        base.saturating_mul(whole(factor).saturating_pow(retry))
    } else {
        fractional(base, factor, retry)
    }
}

/// `base · (retry + 1)`.
pub(super) const fn linear(base: u64, retry: u32) -> u64 {
    base.saturating_mul((retry as u64).saturating_add(1))
}

/// `base` times the Fibonacci number of that place: 1, 1, 2, 3, 5, …
pub(super) fn fibonacci(base: u64, retry: u32) -> u64 {
    // The number at place 93 does not fit 64 bits, and neither does any later one.
    let (number, _) = (0..retry.min(93))
        .fold((1_u64, 1_u64), |(number, next), _| (next, number.saturating_add(next)));
    base.saturating_mul(number)
}

/// `nanos · by`, rounded; zero where `by` is negative or NaN.
pub(crate) fn scaled(nanos: u64, by: f64) -> u64 {
    whole((approximate(nanos) * by).round())
}

/// Exponentiation by squaring that keeps the order of its results.
///
/// Products of rounded powers can come out of order by a unit in the last place when the factor is
/// close to 1. So the bits of `retry` are used to bisect: every value for a smaller `retry` with
/// the same leading bits lies between `low` and `middle`, every larger one between `middle` and
/// `high`. Multiplication alone is also the same on every platform, which `powf` is not.
fn fractional(base: u64, factor: f64, retry: u32) -> u64 {
    if base == 0 || retry == 0 {
        // Zero times an infinite power would be NaN, and the first step is the base to the digit.
        return base;
    }
    let mut powers = [factor; 32];
    for bit in 1..powers.len() {
        powers[bit] = powers[bit - 1] * powers[bit - 1];
    }
    let (mut low, mut high) = (approximate(base), f64::INFINITY);
    for (bit, power) in powers.iter().enumerate().rev() {
        let middle = (low * power).min(high);
        if retry & (1 << bit) == 0 {
            high = middle;
        } else {
            low = middle;
        }
    }
    whole(low.round()).max(base)
}

#[expect(clippy::cast_precision_loss, reason = "jitter and growth need no 64 bits of precision")]
const fn approximate(nanos: u64) -> f64 {
    nanos as f64
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the cast saturates at both ends and takes NaN to zero, which is what is wanted"
)]
const fn whole(number: f64) -> u64 {
    number as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubling_is_exact_up_to_saturation() {
        for retry in 0..64 {
            assert_eq!(exponential(1, 2.0, retry), 1 << retry);
        }
        for retry in [64, 65, 127, 128, u32::MAX] {
            assert_eq!(exponential(1, 2.0, retry), u64::MAX);
        }
        assert_eq!(exponential((1 << 62) - 1, 2.0, 1), (1 << 63) - 2);
    }

    #[test]
    fn whole_factors_are_exact() {
        assert_eq!(exponential(7, 3.0, 20), 7 * 3_u64.pow(20));
        assert_eq!(exponential(3, 1e9, 2), 3_000_000_000_000_000_000);
        assert_eq!(exponential(3, 1e9, 3), u64::MAX);
        assert_eq!(exponential(3, 1e300, 1), u64::MAX);
    }

    #[test]
    fn fractional_factors_are_right_to_the_nanosecond() {
        assert_eq!(exponential(1_000_000_000, 1.5, 3), 3_375_000_000);
        assert_eq!(exponential(50_000_000, 1.1, 1), 55_000_000);
        assert_eq!(exponential(50_000_000, 1.1, 2), 60_500_000);
        assert_eq!(exponential(1 << 20, 2.5, 4), 40_960_000);
    }

    #[cfg_attr(miri, ignore = "arithmetic over very many values")]
    #[test]
    fn a_factor_close_to_one_still_grows_in_order() {
        let base = 1_000_000_000_000_000;
        for factor in [1.0 + f64::EPSILON, 1.0 + 3.0 * f64::EPSILON, 1.000_000_001] {
            for start in [0, 1 << 10, (1 << 16) - 500, (1 << 20) - 500, (1 << 31) - 500] {
                let values: Vec<u64> =
                    (start..start + 1_000).map(|k| exponential(base, factor, k)).collect();
                assert!(values.is_sorted(), "factor {factor:e} from {start}");
            }
            assert!(exponential(base, factor, 1 << 31) > exponential(base, factor, 1 << 10));
        }
    }

    #[test]
    fn a_base_beyond_the_precision_of_a_float_is_not_rounded_down() {
        let base = (1 << 63) - 1;
        assert_eq!(exponential(base, 1.5, 0), base);
        assert!(exponential(base, 1.0 + f64::EPSILON, 1) >= base);
    }

    #[test]
    fn nothing_grows_from_nothing() {
        for factor in [1.0, 1.5, 2.0, 1e9, f64::MAX, f64::INFINITY] {
            assert_eq!(exponential(0, factor, u32::MAX), 0);
        }
        assert_eq!(linear(0, u32::MAX), 0);
        assert_eq!(fibonacci(0, u32::MAX), 0);
    }

    #[test]
    fn a_factor_without_meaning_does_not_grow() {
        for factor in [f64::NAN, f64::NEG_INFINITY, -2.0, -0.0, 0.0, 0.5, 1.0] {
            assert_eq!(exponential(9, factor, 40), 9);
        }
        assert_eq!(exponential(9, f64::INFINITY, 0), 9);
        assert_eq!(exponential(9, f64::INFINITY, 1), u64::MAX);
    }

    #[test]
    fn the_fibonacci_numbers_are_the_known_ones() {
        let first: Vec<u64> = (0..10).map(|k| fibonacci(1, k)).collect();
        assert_eq!(first, [1, 1, 2, 3, 5, 8, 13, 21, 34, 55]);
        assert_eq!(fibonacci(1, 92), 12_200_160_415_121_876_738);
        assert_eq!(fibonacci(1, 93), u64::MAX);
        assert_eq!(fibonacci(1, u32::MAX), u64::MAX);
    }

    #[test]
    fn linear_growth_saturates() {
        assert_eq!([0, 1, 2, 9].map(|k| linear(50, k)), [50, 100, 150, 500]);
        assert_eq!(linear(1, u32::MAX), 1 << 32);
        assert_eq!(linear(1 << 40, u32::MAX), u64::MAX);
    }

    #[test]
    fn scaling_by_nonsense_gives_the_ends() {
        assert_eq!(scaled(1_000, 0.5), 500);
        assert_eq!(scaled(1_000, 1.0), 1_000);
        assert_eq!(scaled(1_000, f64::INFINITY), u64::MAX);
        for by in [-1.0, f64::NAN, f64::NEG_INFINITY] {
            assert_eq!(scaled(1_000, by), 0);
        }
        assert_eq!(scaled(0, f64::INFINITY), 0);
    }
}
