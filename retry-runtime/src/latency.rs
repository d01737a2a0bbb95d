//! Placeholder.
use crate::Moment;
use std::time::Duration;
/// Placeholder.
#[derive(Debug)]
pub struct Latency(());
impl Latency {
    /// Placeholder.
    pub const fn new() -> Self {
        Self(())
    }
    pub(crate) fn record(&self, _took: Duration, _now: Moment) {}
    pub(crate) fn quantile(&self, _q: Quantile, _now: Moment) -> Option<Duration> {
        None
    }
}
/// Placeholder.
#[derive(Clone, Copy, Debug)]
pub enum Quantile {
    /// .
    P50,
    /// .
    P75,
    /// .
    P90,
    /// .
    P95,
    /// .
    P99,
}
