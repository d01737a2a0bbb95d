//! What is known about one call in progress.

use crate::{few::Few, site::Site};

use super::{
    Debt,
    keys::{Keys, Ordinals},
};

/// What is known about one call in progress.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) keys: Keys,
    attempt: InAttempt,
    /// Attempts in flight beside that one.
    beside: Vec<InAttempt>,
}

/// What is known about an attempt in flight. What stragglers of an earlier one leave does not count.
#[derive(Debug)]
pub(super) struct InAttempt {
    pub(super) number: u32,
    pub(super) ordinals: Ordinals,
    pub(super) inner: InnerFailure,
}

impl InAttempt {
    const fn new(number: u32) -> Self {
        let inner = InnerFailure { debts: Few::new(), unretried: Few::new() };
        Self { number, ordinals: Ordinals::new(), inner }
    }
}

impl Entry {
    pub(super) const fn new(attempt: u32) -> Self {
        Self { keys: Keys::new(), attempt: InAttempt::new(attempt), beside: Vec::new() }
    }

    /// The attempts in flight that are known here.
    pub(super) fn attempts(&self) -> impl Iterator<Item = &InAttempt> {
        std::iter::once(&self.attempt).chain(&self.beside)
    }

    /// An attempt in flight, if it is known here.
    pub(super) fn at(&mut self, number: u32) -> Option<&mut InAttempt> {
        let mut all = std::iter::once(&mut self.attempt).chain(&mut self.beside);
        all.find(|attempt| attempt.number == number)
    }

    /// This attempt is being polled, and so it is in flight.
    pub(super) fn know(&mut self, number: u32) {
        if self.at(number).is_none() {
            self.beside.push(InAttempt::new(number));
        }
    }

    /// Of all attempts in flight, only this one counts.
    pub(super) fn keep(&mut self, number: u32) {
        self.know(number);
        if let Some(at) = self.beside.iter().position(|attempt| attempt.number == number) {
            std::mem::swap(&mut self.attempt, &mut self.beside[at]);
        }
        for other in std::mem::take(&mut self.beside) {
            self.keys.end_attempt(other.ordinals);
        }
    }

    /// The attempt has ended, and `next` will be the next one's number: what the suppressed calls in it
    /// left. The next attempt starts afresh, its ordinals too, so that it draws the same keys.
    pub(super) fn end_attempt(&mut self, next: u32) -> InnerFailure {
        let ended = std::mem::replace(&mut self.attempt, InAttempt::new(next));
        self.keys.end_attempt(ended.ordinals);
        ended.inner
    }
}

/// What the suppressed calls inside an attempt left behind.
#[derive(Debug, Default)]
pub(crate) struct InnerFailure {
    /// The budgets of the suppressed call that failed last, its own first.
    pub(crate) debts: Few<Debt>,
    /// The failures that nobody but this call can still retry: sites, and how many of each.
    pub(crate) unretried: Few<(&'static Site, u64)>,
}

impl InnerFailure {
    pub(super) fn add_unretried(&mut self, site: &'static Site, failures: u64) {
        match self.unretried.iter_mut().find(|(known, _)| std::ptr::eq(*known, site)) {
            Some((_, count)) => *count += failures,
            None => self.unretried.push((site, failures)),
        }
    }

    /// A failure of `site` itself that only an enclosing call can still retry.
    pub(crate) fn left_to_outer(&mut self, site: &'static Site) {
        self.add_unretried(site, 1);
    }
}
