//! Counts by time.

use std::time::Duration;

use crate::scenario::Window;

/// Counts in steps of 10 ms from the start of the simulation; what is short ends in zeros.
#[derive(Clone, Debug, Default)]
pub struct Series {
    /// Logical calls that began.
    pub calls: Vec<u32>,
    /// Of these, by when they began, those that succeeded in the end.
    pub succeeded: Vec<u32>,
    /// Attempts that began, at all tiers, the first ones included.
    pub attempts: Vec<u32>,
    /// Attempts that began and were not the first of their call, at all tiers.
    pub retries: Vec<u32>,
    /// Attempts that began at the watched tier.
    pub offered: Vec<u32>,
    /// Requests that the watched tier's server has served, not in vain: the client still waits, and the answer gets to it.
    pub served: Vec<u32>,
    /// The mean level of the entry tier's budgets, from 0 to 1, once each second; empty without budgets.
    pub budget: Vec<f32>,
    /// The same for each tier after it; each is empty where nothing pays for its retries. Tiers that share a budget
    /// have the same levels.
    pub inner_budgets: Vec<Vec<f32>>,
}

impl Series {
    /// The width of a step.
    pub const STEP: Duration = Duration::from_millis(10);

    /// The step in which a moment lies.
    #[expect(clippy::cast_possible_truncation, reason = "simulations last hours, not ages")]
    pub const fn step(at: Duration) -> usize {
        // Once or twice for each call: 128 bits would be felt.
        at.as_secs() as usize * 100 + at.subsec_millis() as usize / 10
    }

    /// Counts one more.
    pub fn add(series: &mut Vec<u32>, at: Duration) {
        let step = Self::step(at);
        if step >= series.len() {
            series.resize(step + 1, 0);
        }
        series[step] += 1;
    }

    /// The sums of buckets of this width, a multiple of 10 ms, from the window's start; the last one may be cut.
    pub fn buckets(series: &[u32], window: Window, width: Duration) -> Vec<u64> {
        let steps = Self::step(width).max(1);
        let (from, to) = (Self::step(window.from), Self::step(window.to));
        let at = |step: usize| series.get(step).copied().map_or(0, u64::from);
        (from..to)
            .step_by(steps)
            .map(|first| (first..(first + steps).min(to)).map(at).sum())
            .collect()
    }
}

/// The most in any bucket of this width.
#[expect(clippy::cast_precision_loss, reason = "counts far below 2^52")]
pub fn peak(series: &[u32], window: Window, width: Duration) -> f64 {
    Series::buckets(series, window, width).into_iter().max().unwrap_or(0) as f64
}
