//! What a client process has seen.

use std::{
    mem,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use stormless::{CallReport, current};

use super::{
    functions::Function,
    protocol::{Called, count},
};

/// Written by calls and attempts, and emptied whenever the parent is told.
#[derive(Debug)]
pub struct Ledger {
    start: Instant,
    called: Mutex<Called>,
    concurrent: Mutex<Concurrent>,
}

/// A call in progress.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    ledger: &'a Ledger,
    began: Duration,
}

#[derive(Debug, Default)]
struct Concurrent {
    now: u64,
    most: u64,
}

impl Ledger {
    /// An empty one; times count from `start`.
    pub fn new(start: Instant) -> Self {
        Self { start, called: Mutex::default(), concurrent: Mutex::default() }
    }

    /// The time since the start.
    pub fn now(&self) -> Duration {
        self.start.elapsed()
    }

    /// A call begins that was to begin at `due`.
    pub fn call(&self, due: Duration) -> Call<'_> {
        let now = self.now();
        let mut called = self.called();
        count(&mut called.calls, now);
        called.latest_us = called.latest_us.max(micros(now.saturating_sub(due)));
        let mut concurrent = lock(&self.concurrent);
        concurrent.now += 1;
        concurrent.most = concurrent.most.max(concurrent.now);
        Call { ledger: self, began: now }
    }

    fn attempt(&self, began: Duration) {
        let now = self.now();
        let mut called = self.called();
        count(&mut called.attempts, now);
        count(&mut called.attempts_of_calls, began);
        if current().is_some_and(|attempt| attempt.is_retry()) {
            count(&mut called.retries, now);
        }
    }

    fn end(&self, began: Duration, succeeded: bool, reports: &[CallReport]) {
        let took = u32::try_from(micros(self.now().saturating_sub(began))).unwrap_or(u32::MAX);
        let mut called = self.called();
        let step = u32::try_from(crate::outcome::Series::step(began)).unwrap_or(u32::MAX);
        if succeeded {
            count(&mut called.succeeded, began);
            called.took.push((step, took));
        } else {
            count(&mut called.failed, began);
            called.failed_after.push((step, took));
        }
        for report in reports {
            if let Some(reason) = report.reason() {
                *called.stops.entry(reason.label().to_owned()).or_default() += 1;
            }
            for failure in report.failures() {
                *called.failures.entry(failure.label().to_owned()).or_default() += 1;
            }
        }
        lock(&self.concurrent).now -= 1;
    }

    /// Calls in progress.
    pub fn concurrent(&self) -> u64 {
        lock(&self.concurrent).now
    }

    /// What is new since this was last called; what only grows is told as it stands.
    pub fn take(&self, function: Function) -> Called {
        let mut called = mem::take(&mut *self.called());
        called.at_us = micros(self.now());
        called.most_concurrent = lock(&self.concurrent).most;
        if let Some(budget) = function.budget() {
            let stats = budget.stats();
            (called.granted, called.refused) = (stats.spent(), stats.refused);
            called.budget = function.burst().map(|burst| budget.balance() / burst);
        }
        called
    }

    fn called(&self) -> MutexGuard<'_, Called> {
        lock(&self.called)
    }
}

impl Call<'_> {
    /// An attempt begins, in which this is called.
    pub fn attempt(&self) {
        self.ledger.attempt(self.began);
    }

    /// It has ended.
    pub fn end(&self, succeeded: bool, reports: &[CallReport]) {
        self.ledger.end(self.began, succeeded, reports);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// As a whole number, as it is written to others.
pub(super) fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attempt_is_also_counted_where_its_call_began() {
        let ledger = Ledger::new(Instant::now().checked_sub(Duration::from_secs(5)).unwrap());
        let call = Call { ledger: &ledger, began: Duration::from_secs(1) };
        call.attempt();
        call.attempt();
        let called = ledger.take(Function::Naive);
        assert_eq!(called.attempts_of_calls, [(100, 2)].into());
        assert!(called.attempts.keys().all(|step| *step >= 500), "{:?}", called.attempts);
    }
}
