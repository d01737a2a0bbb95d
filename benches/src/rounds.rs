//! Times taken in rounds: each round times every subject once, so that what else the machine does
//! hits all of them alike.
//!
//! A turn is a tenth of a millisecond, whatever the subject: much shorter than the slices in which the
//! system shares its cores among processes, so that most turns run undisturbed, slow subjects' too.

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

/// The nanoseconds of one subject, a figure for each round.
#[derive(Clone, Debug, Default)]
pub struct Times(Vec<f64>);

impl Times {
    /// Adds a round.
    pub fn push(&mut self, nanoseconds: f64) {
        self.0.push(nanoseconds);
    }

    /// Half of the rounds took longer.
    pub fn median(&self) -> f64 {
        quantile(&self.0, 0.5)
    }

    /// Between these two lies the middle half of the rounds.
    pub fn quartiles(&self) -> (f64, f64) {
        (quantile(&self.0, 0.25), quantile(&self.0, 0.75))
    }

    /// The median of the rounds' ratios, each taken within its round.
    pub fn ratio(&self, to: &Self) -> f64 {
        let ratios: Vec<_> = self.0.iter().zip(&to.0).map(|(this, to)| this / to).collect();
        quantile(&ratios, 0.5)
    }
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "there are a few dozen rounds"
)]
fn quantile(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().saturating_sub(1);
    sorted.get((last as f64 * share).round() as usize).copied().unwrap_or(f64::NAN)
}

/// A turn of this length.
const TURN: Duration = Duration::from_micros(100);

/// How many calls make a turn.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a few hundred thousand at most"
)]
pub fn calls_in_a_turn(run: impl Fn(u64) -> u64) -> u64 {
    let shortest = (0..20).map(|_| time(1_000, &run)).fold(f64::INFINITY, f64::min);
    (per_call(TURN, 1) / shortest).clamp(100.0, 500_000.0) as u64
}

/// One turn of `calls` calls: nanoseconds for each of them.
pub fn turn(calls: u64, run: impl Fn(u64) -> u64) -> f64 {
    // Caches and branch predictors get to know the subject first.
    black_box(run(black_box(calls / 10)));
    time(calls, run)
}

fn time(calls: u64, run: impl Fn(u64) -> u64) -> f64 {
    let start = Instant::now();
    black_box(run(black_box(calls)));
    per_call(start.elapsed(), calls)
}

/// What each of `calls` calls took of `time`.
#[expect(clippy::cast_precision_loss, reason = "far below 2^52 nanoseconds")]
pub fn per_call(time: Duration, calls: u64) -> f64 {
    time.as_nanos() as f64 / calls as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_taken_within_the_round() {
        let (fast, slow) = (Times(vec![1.0, 10.0, 2.0]), Times(vec![2.0, 20.0, 4.0]));
        assert!((slow.ratio(&fast) - 2.0).abs() < f64::EPSILON);
        assert!((fast.median() - 2.0).abs() < f64::EPSILON);
        assert_eq!(fast.quartiles(), (2.0, 10.0));
    }
}
