use std::{
    collections::VecDeque,
    future::Future,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
    time::Duration,
};

use stormless::{Retryable, current};
use tokio::time::Instant;
use tower::Service;

/// What becomes of a call, or of a look at whether the service is ready.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Retryable)]
pub enum Failure {
    /// A repeat helps.
    #[error("unavailable")]
    #[retryable(transient)]
    Unavailable,
    /// A repeat helps, and may do something twice.
    #[error("the answer was lost")]
    #[retryable(transient, maybe_executed)]
    Lost,
    /// A repeat does not help.
    #[error("refused")]
    #[retryable(permanent)]
    Refused,
    /// Too slow.
    #[error("the attempt timed out")]
    #[retryable(attempt_timeout)]
    TimedOut,
    /// Too late.
    #[error("too late")]
    #[retryable(deadline_exceeded)]
    Late,
    /// Not asked.
    #[error("the breaker is open")]
    #[retryable(breaker_open)]
    Open,
}

/// What the service does.
#[derive(Clone, Debug)]
pub enum Step {
    /// Answers.
    Gives(u32),
    /// Fails.
    Fails(Failure),
    /// Is not ready, ever: waiting for it fails.
    Broken(Failure),
    /// Answers after a while.
    Takes(Duration, u32),
    /// Does not answer.
    Hangs,
}

/// One call that reached the service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call<R> {
    /// What was sent.
    pub request: R,
    /// The number of the attempt that sent it; 0 outside of all attempts.
    pub attempt: u32,
    /// When, from the probe's making on.
    pub at: Duration,
    /// Which of the service's clones was called; the one that was made first is 0.
    pub clone: usize,
}

/// A service with a script that refuses whoever calls it unasked: each clone has to be ready by itself, and is
/// so for one call.
#[derive(Debug)]
pub struct Probe<R> {
    shared: Arc<Mutex<Shared<R>>>,
    is_ready: bool,
    number: usize,
}

#[derive(Debug)]
struct Shared<R> {
    steps: VecDeque<Step>,
    calls: Vec<Call<R>>,
    checks: usize,
    clones: usize,
    reserved: usize,
    begun: Instant,
}

impl<R> Probe<R> {
    /// With one step for each call, or failed check.
    pub fn new(steps: impl IntoIterator<Item = Step>) -> Self {
        let shared = Shared {
            steps: steps.into_iter().collect(),
            calls: Vec::new(),
            checks: 0,
            clones: 1,
            reserved: 0,
            begun: Instant::now(),
        };
        Self { shared: Arc::new(Mutex::new(shared)), is_ready: false, number: 0 }
    }

    /// How often somebody found a clone ready, or broken, that was not before.
    pub fn checks(&self) -> usize {
        self.lock().checks
    }

    /// How many clones are ready and not called.
    pub fn reserved(&self) -> usize {
        self.lock().reserved
    }

    /// How many clones were made.
    pub fn clones(&self) -> usize {
        self.lock().clones - 1
    }

    /// The calls so far.
    pub fn calls(&self) -> Vec<Call<R>>
    where
        R: Clone,
    {
        self.lock().calls.clone()
    }

    /// The attempt that sent each call.
    pub fn attempts(&self) -> Vec<u32> {
        self.lock().calls.iter().map(|call| call.attempt).collect()
    }

    /// When each call came.
    pub fn times(&self) -> Vec<Duration> {
        self.lock().calls.iter().map(|call| call.at).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Shared<R>> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<R> Clone for Probe<R> {
    fn clone(&self) -> Self {
        let number = {
            let mut shared = self.lock();
            shared.clones += 1;
            shared.clones - 1
        };
        Self { shared: Arc::clone(&self.shared), is_ready: false, number }
    }
}

impl<R> Drop for Probe<R> {
    fn drop(&mut self) {
        if self.is_ready {
            self.lock().reserved -= 1;
        }
    }
}

impl<R> Service<R> for Probe<R> {
    type Response = u32;
    type Error = Failure;
    type Future = Pin<Box<dyn Future<Output = Result<u32, Failure>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Failure>> {
        if self.is_ready {
            return Poll::Ready(Ok(()));
        }
        let mut shared = self.lock();
        shared.checks += 1;
        if let Some(Step::Broken(failure)) = shared.steps.front().cloned() {
            shared.steps.pop_front();
            return Poll::Ready(Err(failure));
        }
        shared.reserved += 1;
        drop(shared);
        self.is_ready = true;
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: R) -> Self::Future {
        assert!(self.is_ready, "called unasked: clone {}", self.number);
        self.is_ready = false;
        let mut shared = self.lock();
        shared.reserved -= 1;
        let attempt = current().map_or(0, |attempt| attempt.number());
        let (at, clone) = (shared.begun.elapsed(), self.number);
        shared.calls.push(Call { request, attempt, at, clone });
        let step = shared.steps.pop_front().expect("a call that the script does not know");
        Box::pin(async move {
            match step {
                Step::Gives(value) => Ok(value),
                Step::Fails(failure) => Err(failure),
                Step::Takes(time, value) => {
                    tokio::time::sleep(time).await;
                    Ok(value)
                }
                Step::Hangs => std::future::pending().await,
                Step::Broken(failure) => panic!("ready, though broken: {failure}"),
            }
        })
    }
}
