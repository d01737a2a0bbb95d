//! Where jitter comes from.

use crate::isolation;

/// Where jitter comes from in a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Jitter {
    /// As in production.
    Random,
    /// From this seed: the same calls in the same order draw the same delays.
    Seeded(u64),
    /// Always the shortest delay of the strategy's range.
    Lowest,
    /// Always the longest.
    Highest,
}

/// Seeds all jitter and all idempotency keys from here on: in the enclosing [`isolated`](super::isolated) future alone,
/// or in the process outside of one.
pub fn seed(seed: u64) {
    jitter(Jitter::Seeded(seed));
}

/// Sets where jitter comes from, as [`seed`] does.
pub fn jitter(jitter: Jitter) {
    isolation::set_jitter(jitter);
}
