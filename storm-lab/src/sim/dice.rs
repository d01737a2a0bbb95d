//! Random numbers of what is simulated; production draws its own.

use std::time::Duration;

use retry_runtime::Generator;

use crate::scenario::{Distribution, Z99};

/// A stream of random numbers.
#[derive(Debug)]
pub(super) struct Dice(Generator);

/// What a stream is for: the arrivals are the same for all policies of a seed, whatever the others draw.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stream {
    Arrivals = 1,
    Requests,
    Servers,
    Routes,
    Row,
}

/// 2^-53: the step of a number from 0 to 1.
const STEP: f64 = 1.0 / 9_007_199_254_740_992.0;

impl Dice {
    pub(super) fn new(seed: u64, stream: Stream) -> Self {
        // Far from the small numbers that production's streams of the same seed have.
        Self(Generator::seeded(seed, (stream as u64) << 56))
    }

    /// At least 0 and below 1.
    #[inline]
    #[expect(clippy::cast_precision_loss, reason = "53 bits are exact")]
    pub(super) fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 * STEP
    }

    /// Whether something of this probability happens.
    #[inline]
    pub(super) fn happens(&mut self, probability: f64) -> bool {
        // Without a draw where nothing is to be decided.
        probability > 0.0 && (probability >= 1.0 || self.unit() < probability)
    }

    /// One of so many, from 0.
    #[inline]
    pub(super) fn below(&mut self, many: u32) -> u32 {
        if many <= 1 {
            return 0;
        }
        // Lemire's multiplication without its rejection: the bias is below 2^-32.
        let wide = u128::from(self.0.next_u64()) * u128::from(many);
        u32::try_from(wide >> 64).unwrap_or(0)
    }

    /// Exponential, with this mean, in nanoseconds.
    #[inline]
    pub(super) fn exponential(&mut self, mean: f64) -> u64 {
        rounded(-(1.0 - self.unit()).ln() * mean)
    }

    /// In nanoseconds.
    #[inline]
    pub(super) fn draw(&mut self, distribution: &Distribution) -> u64 {
        match *distribution {
            Distribution::Fixed(time) => nanos(time),
            Distribution::Exponential(mean) => self.exponential(mean.as_secs_f64() * 1e9),
            Distribution::Uniform(from, to) => {
                let width = nanos(to.saturating_sub(from));
                nanos(from).saturating_add(rounded(self.unit() * width_of(width)))
            }
            Distribution::Normal { mean, deviation } => {
                let drawn = mean.as_secs_f64() + deviation.as_secs_f64() * self.normal();
                rounded(drawn.abs() * 1e9)
            }
            Distribution::LogNormal { median, p99 } => {
                let sigma = (p99.as_secs_f64() / median.as_secs_f64()).ln() / Z99;
                rounded(median.as_secs_f64() * (sigma * self.normal()).exp() * 1e9)
            }
        }
    }

    /// Of mean 0 and deviation 1, after Box and Muller (1958).
    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.unit()).cos()
    }
}

/// In whole nanoseconds, saturating.
#[inline]
pub(super) const fn nanos(time: Duration) -> u64 {
    // Without the 128 bits of `as_nanos`: it is asked for several times in each event.
    let whole = time.as_secs().saturating_mul(1_000_000_000);
    whole.saturating_add(time.subsec_nanos() as u64)
}

#[expect(clippy::cast_precision_loss, reason = "a width, in nanoseconds, of what is drawn")]
const fn width_of(nanos: u64) -> f64 {
    nanos as f64
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "casts of floats saturate, and what is negative is not meant"
)]
const fn rounded(nanos: f64) -> u64 {
    (nanos + 0.5) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean(distribution: Distribution) -> f64 {
        let mut dice = Dice::new(7, Stream::Servers);
        let sum: f64 = (0..200_000)
            .map(|_| Duration::from_nanos(dice.draw(&distribution)).as_secs_f64())
            .sum();
        sum / 200_000.0
    }

    #[test]
    fn each_distribution_has_the_mean_that_it_says() {
        let ms = Duration::from_millis;
        for distribution in [
            Distribution::Fixed(ms(10)),
            Distribution::Exponential(ms(15)),
            Distribution::Uniform(ms(5), ms(25)),
            Distribution::Normal { mean: ms(10), deviation: ms(2) },
            Distribution::LogNormal { median: ms(5), p99: ms(50) },
        ] {
            let (drawn, said) = (mean(distribution), distribution.mean().as_secs_f64());
            assert!((drawn / said - 1.0).abs() < 0.01, "{distribution:?}: {drawn} {said}");
        }
    }

    #[test]
    fn a_hundredth_of_a_log_normal_is_above_its_99th_percentile() {
        let (median, p99) = (Duration::from_millis(5), Duration::from_millis(40));
        let mut dice = Dice::new(3, Stream::Servers);
        let above = (0..100_000)
            .filter(|_| dice.draw(&Distribution::LogNormal { median, p99 }) > nanos(p99))
            .count();
        assert!((900..1_100).contains(&above), "{above}");
    }

    #[test]
    fn one_of_many_is_evenly_drawn() {
        let mut dice = Dice::new(1, Stream::Routes);
        let mut counts = [0_u32; 7];
        for _ in 0..70_000 {
            counts[dice.below(7) as usize] += 1;
        }
        assert!(counts.iter().all(|count| (9_500..10_500).contains(count)), "{counts:?}");
    }
}
