//! Whether a sample follows a uniform distribution.

use std::time::Duration;

/// The Kolmogorov–Smirnov distance between a sample and the uniform distribution from `low` to
/// `high`: the largest gap between the two cumulative curves, from 0 to 1.
pub(crate) fn distance_to_uniform(sample: &[Duration], low: Duration, high: Duration) -> f64 {
    let mut sorted = sample.to_vec();
    sorted.sort_unstable();
    let size = f64::from(u32::try_from(sorted.len()).unwrap());
    let width = high.as_secs_f64() - low.as_secs_f64();
    let gap = |(index, value): (u32, &Duration)| {
        let (below, upto) = (f64::from(index) / size, f64::from(index + 1) / size);
        let offset = value.as_secs_f64() - low.as_secs_f64();
        let expected = (offset / width).clamp(0.0, 1.0);
        (expected - below).max(upto - expected)
    };
    (0..).zip(&sorted).map(gap).fold(0.0, f64::max)
}

/// The distance that a uniform sample of this size exceeds once in a thousand times (Kolmogorov's
/// asymptotic quantile, 1.95 / √n).
pub(crate) fn critical_distance(sample: &[Duration]) -> f64 {
    1.95 / f64::from(u32::try_from(sample.len()).unwrap()).sqrt()
}
