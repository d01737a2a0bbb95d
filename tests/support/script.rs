//! Bodies whose outcomes are written down beforehand, and what became of the calls that ran them.

#![allow(dead_code, reason = "each test file uses its own part of this")]

use std::{
    future::Future,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use stormless::{Budget, CallReport, Retryable, SiteRow, budgets, current, report, sites};
use tokio::{
    runtime::{Builder, Runtime},
    time::Instant,
};

/// An error with every marker, and a number to tell its values apart.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Retryable)]
pub(crate) enum Failure {
    #[error("unavailable, number {0}")]
    #[retryable(transient)]
    Unavailable(u32),
    #[error("the answer was lost")]
    #[retryable(transient, maybe_executed)]
    Lost,
    #[error("refused, number {0}")]
    #[retryable(permanent)]
    Refused(u32),
    #[error("not found")]
    #[retryable(permanent, executed)]
    NotFound,
    #[error("busy")]
    #[retryable(throttled, retry_after = wait)]
    Busy { wait: Option<Duration> },
    #[error("no connection is free")]
    #[retryable(transient, local)]
    Exhausted,
    #[error("stopped")]
    #[retryable(cancelled)]
    Stopped,
    #[error("the breaker is open")]
    #[retryable(breaker_open)]
    Open,
    #[error("the attempt timed out")]
    #[retryable(attempt_timeout)]
    TimedOut,
    #[error("too late")]
    #[retryable(deadline_exceeded)]
    Late,
}

/// A transient error that cannot say how an attempt was cut.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Retryable)]
#[error("unavailable, and no word for a cut")]
#[retryable(transient)]
pub(crate) struct Bare;

pub(crate) type Outcome<E = Failure> = Result<(), E>;

pub(crate) const OK: Outcome = Ok(());
/// Transient, certainly not executed.
pub(crate) const T: Outcome = Err(Failure::Unavailable(0));
/// Transient, may have been executed.
pub(crate) const TM: Outcome = Err(Failure::Lost);
/// Permanent.
pub(crate) const P: Outcome = Err(Failure::Refused(0));
/// Permanent, and an answer of the dependency.
pub(crate) const PE: Outcome = Err(Failure::NotFound);

/// A transient failure with a number.
pub(crate) const fn t(number: u32) -> Outcome {
    Err(Failure::Unavailable(number))
}

/// A permanent failure with a number.
pub(crate) const fn p(number: u32) -> Outcome {
    Err(Failure::Refused(number))
}

/// Throttled, with a hint.
pub(crate) const fn ra(wait: Duration) -> Outcome {
    Err(Failure::Busy { wait: Some(wait) })
}

pub(crate) const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

pub(crate) const fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

pub(crate) const FOREVER: Duration = Duration::MAX;

/// What the bodies of one call are to end in, and when each started.
pub(crate) struct Script<E = Failure> {
    outcomes: Vec<Outcome<E>>,
    endless: bool,
    takes: Duration,
    hangs_after: usize,
    begun: Instant,
    runs: Mutex<Vec<(Duration, u32)>>,
}

impl<E: Clone> Script<E> {
    /// One outcome for each body; one body more is a test that fails.
    pub(crate) fn new(outcomes: impl Into<Vec<Outcome<E>>>) -> Self {
        Self {
            outcomes: outcomes.into(),
            endless: false,
            takes: Duration::ZERO,
            hangs_after: usize::MAX,
            begun: Instant::now(),
            runs: Mutex::new(Vec::new()),
        }
    }

    /// Every body ends so.
    pub(crate) fn always(outcome: Outcome<E>) -> Self {
        Self { endless: true, ..Self::new([outcome]) }
    }

    /// Bodies that never end.
    pub(crate) fn hanging() -> Self {
        Self { endless: true, ..Self::new([Ok(())]) }.taking(FOREVER)
    }

    /// A first body that ends so at once, and others that never end.
    pub(crate) fn hanging_after(outcome: Outcome<E>) -> Self {
        Self { hangs_after: 1, endless: true, ..Self::new([outcome]) }
    }

    /// Each body takes this long.
    pub(crate) fn taking(self, time: Duration) -> Self {
        Self { takes: time, ..self }
    }

    /// The body of an annotated function.
    pub(crate) async fn body(&self) -> Outcome<E> {
        let number = current().map_or(0, |attempt| attempt.number());
        let run = {
            let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
            runs.push((self.begun.elapsed(), number));
            runs.len() - 1
        };
        if self.takes == FOREVER || run >= self.hangs_after {
            std::future::pending::<()>().await;
        } else if !self.takes.is_zero() {
            tokio::time::sleep(self.takes).await;
        }
        let last = self.outcomes.last().filter(|_| self.endless);
        self.outcomes.get(run).or(last).expect("a body that the script does not know").clone()
    }

    fn runs(&self) -> Vec<(Duration, u32)> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How many bodies have started.
    pub(crate) fn bodies(&self) -> usize {
        self.runs().len()
    }

    /// When each body started, from the script's making on.
    pub(crate) fn starts(&self) -> Vec<Duration> {
        self.runs().into_iter().map(|(start, _)| start).collect()
    }

    /// From the start of each body to that of the next: the sleeps, where bodies take no time.
    pub(crate) fn gaps(&self) -> Vec<Duration> {
        self.starts().windows(2).map(|pair| pair[1].saturating_sub(pair[0])).collect()
    }

    /// The number of the attempt that each body saw.
    pub(crate) fn numbers(&self) -> Vec<u32> {
        self.runs().into_iter().map(|(_, number)| number).collect()
    }

    /// The time since the script was made.
    pub(crate) fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }
}

/// A runtime with virtual time, for tests that need several.
pub(crate) fn paused() -> Runtime {
    Builder::new_current_thread().enable_time().start_paused(true).build().unwrap()
}

/// Runs one call, and tells what became of it.
pub(crate) async fn observed<F: Future>(call: F) -> (F::Output, CallReport) {
    let (output, mut calls) = report(call).await;
    assert_eq!(calls.len(), 1, "one call is looked at: {calls:?}");
    (output, calls.remove(0))
}

/// The delays of a call.
pub(crate) fn delays(call: &CallReport) -> Vec<Duration> {
    call.delays().collect()
}

/// The counters of an annotated function, by its whole name.
pub(crate) fn row(name: &str) -> SiteRow {
    sites().get(name).unwrap_or_else(|| panic!("no site `{name}`")).clone()
}

/// The budget of this name, as it is in the running test.
pub(crate) fn bucket(name: &str) -> &'static Budget {
    budgets().get(name).unwrap_or_else(|| panic!("no budget `{name}`")).budget()
}

#[track_caller]
pub(crate) fn assert_balance(name: &str, expected: f64) {
    let balance = bucket(name).balance();
    assert!((balance - expected).abs() < 1e-9, "the balance is {balance}, not {expected}");
}

/// Nothing was ever taken from this budget, nor asked of it, and nothing is missing.
#[track_caller]
pub(crate) fn assert_untouched(name: &str) {
    let stats = bucket(name).stats();
    assert_eq!((stats.withdrawn, stats.refused), (0, 0), "{stats:?}");
    assert_balance(name, 10.0);
}
