//! A policy's schedule as an iterator.

use std::time::Duration;

use crate::{Classification, Generator, Policy, backoff::DelayInput};

/// The delays between the attempts of one call; made by [`Policy::delays`].
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Backoff, Policy};
/// use std::time::Duration;
///
/// let policy = Policy::new().attempts(4).backoff(Backoff::Exponential);
/// let millis: Vec<u128> = policy.delays().map(|delay| delay.as_millis()).collect();
/// assert_eq!(millis, [50, 100, 200]);
/// ```
#[derive(Debug)]
pub struct Delays {
    policy: Policy,
    generator: Generator,
    retry: u32,
    previous: Option<Duration>,
}

impl Delays {
    pub(crate) const fn new(policy: Policy, generator: Generator) -> Self {
        Self { policy, generator, retry: 0, previous: None }
    }
}

impl Iterator for Delays {
    type Item = Duration;

    fn next(&mut self) -> Option<Duration> {
        if self.policy.max_attempts().is_some_and(|attempts| self.retry >= attempts - 1) {
            return None;
        }
        let classification = Classification::transient();
        let input = DelayInput::new(&self.policy.steps(), self.retry, &classification)
            .previous(self.previous);
        let delay = self.policy.strategy().delay(&input, &mut self.generator);
        self.previous = Some(delay);
        self.retry = self.retry.saturating_add(1);
        Some(delay)
    }
}
