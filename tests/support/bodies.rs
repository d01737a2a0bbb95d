//! A dependency that answers by script, and what the tests read about the calls to it.

#![allow(
    dead_code,
    unreachable_pub,
    unused_imports,
    reason = "each test file includes it and uses its part"
)]

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use stormless::{BudgetRow, CallReport, Retryable, SiteRow, StopReason};
use tokio::time::Instant;

/// What a scripted dependency says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, Retryable)]
pub enum Failure {
    /// Transient, certainly not executed.
    #[error("refused")]
    #[retryable(transient)]
    T,
    /// The same, with a number to tell one from the other.
    #[error("refused, number {0}")]
    #[retryable(transient)]
    Numbered(u32),
    /// Transient, may have been executed.
    #[error("connection lost")]
    #[retryable(transient, maybe_executed)]
    TM,
    /// Permanent.
    #[error("bad request")]
    #[retryable(permanent)]
    P,
    /// Permanent, and an answer of the dependency.
    #[error("no such order")]
    #[retryable(permanent, executed)]
    PE,
    /// A retry of this one costs two.
    #[error("refused, and expensive")]
    #[retryable(transient, cost = 2)]
    Expensive,
    #[error("the attempt took too long")]
    #[retryable(attempt_timeout)]
    TooSlow,
    #[error("the deadline passed")]
    #[retryable(deadline_exceeded)]
    TooLate,
}

pub use Failure::{Expensive, Numbered, P, PE, T, TM, TooLate, TooSlow};

/// What a body ends in.
pub type Answer = Result<(), Failure>;

/// The other end of the calls under test: answers by script and remembers when it was asked.
#[derive(Debug)]
pub struct Dependency {
    script: Mutex<VecDeque<Answer>>,
    always: Option<Answer>,
    asked: Mutex<Vec<Instant>>,
    made: Instant,
}

impl Dependency {
    /// Answers in this order. One body more than that is a failed test.
    pub fn script<const N: usize>(answers: [Answer; N]) -> Self {
        Self::new(VecDeque::from(answers), None)
    }

    /// Answers alike for ever.
    pub fn always(answer: Answer) -> Self {
        Self::new(VecDeque::new(), Some(answer))
    }

    /// Always `T`.
    pub fn dead() -> Self {
        Self::always(Err(T))
    }

    fn new(script: VecDeque<Answer>, always: Option<Answer>) -> Self {
        Self { script: Mutex::new(script), always, asked: Mutex::default(), made: Instant::now() }
    }

    /// One body runs.
    pub fn answer(&self) -> Answer {
        lock(&self.asked).push(Instant::now());
        let scripted = lock(&self.script).pop_front();
        scripted.or(self.always).expect("the script has an answer for each body")
    }

    /// How many bodies ran.
    pub fn bodies(&self) -> usize {
        lock(&self.asked).len()
    }

    /// When they started, in milliseconds since the dependency was made.
    pub fn starts(&self) -> Vec<u128> {
        lock(&self.asked).iter().map(|at| at.duration_since(self.made).as_millis()).collect()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The row of an annotated function, with the isolated test's counters where there is one.
#[track_caller]
pub fn site(name: &str) -> SiteRow {
    stormless::sites().get(name).cloned().expect("a function of this name is linked")
}

/// The row of a budget, the isolated test's where there is one.
#[track_caller]
pub fn budget(name: &str) -> BudgetRow {
    stormless::budgets().get(name).cloned().expect("a budget of this name is known")
}

/// Fails unless the budget holds exactly this much, down to the unit in which budgets count.
#[track_caller]
pub fn assert_balance(name: &str, retries: f64) {
    let balance = budget(name).balance();
    assert!((balance - retries).abs() < 1e-9, "`{name}` holds {balance} and not {retries}");
}

/// The reasons of the calls of one function, in the order in which they ended.
pub fn reasons(calls: &[CallReport], site: &str) -> Vec<Option<StopReason>> {
    calls.iter().filter(|call| call.site() == site).map(CallReport::reason).collect()
}

/// Milliseconds.
pub const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}
