//! Bodies that run side by side: how long each takes, what it ends in, and what became of it.

#![allow(dead_code, reason = "each test file uses its own part of this")]

use std::{
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use stormless::{IdempotencyKey, current};
use tokio::time::Instant;

use crate::script::{Failure, Outcome};

/// What the bodies of one call are to do, in the order in which they start.
pub(crate) struct Plan {
    steps: Vec<(Duration, Outcome)>,
    begun: Instant,
    runs: Mutex<Vec<Run>>,
    in_flight: AtomicUsize,
}

/// One body.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) start: Duration,
    pub(crate) number: u32,
    pub(crate) key: Option<IdempotencyKey>,
    /// When it was gone, whether it came to its end or not.
    pub(crate) gone: Option<Duration>,
    pub(crate) finished: bool,
}

impl Plan {
    pub(crate) fn new(steps: impl Into<Vec<(Duration, Outcome)>>) -> Self {
        Self {
            steps: steps.into(),
            begun: Instant::now(),
            runs: Mutex::default(),
            in_flight: AtomicUsize::new(0),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Run>> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The body of an annotated function; it asks for no key, which would make an entry in a table.
    pub(crate) async fn body(&self) -> Outcome {
        self.run(false).await
    }

    /// The same, with a look at the key.
    pub(crate) async fn keyed_body(&self) -> Outcome {
        self.run(true).await
    }

    async fn run(&self, keyed: bool) -> Outcome {
        let attempt = current().expect("a body runs in an attempt");
        let at = {
            let mut runs = self.lock();
            runs.push(Run {
                start: self.begun.elapsed(),
                number: attempt.number(),
                key: keyed.then(|| attempt.idempotency_key()),
                gone: None,
                finished: false,
            });
            runs.len() - 1
        };
        self.in_flight.fetch_add(1, Ordering::Relaxed);
        let _gone = Gone(self, at);
        let (takes, outcome) = self.steps.get(at).expect("a body that was not planned").clone();
        if takes == Duration::MAX {
            std::future::pending::<()>().await;
        } else if !takes.is_zero() {
            tokio::time::sleep(takes).await;
        }
        self.lock()[at].finished = true;
        outcome
    }

    pub(crate) fn runs(&self) -> Vec<Run> {
        self.lock().clone()
    }

    pub(crate) fn starts(&self) -> Vec<Duration> {
        self.lock().iter().map(|run| run.start).collect()
    }

    pub(crate) fn numbers(&self) -> Vec<u32> {
        self.lock().iter().map(|run| run.number).collect()
    }

    pub(crate) fn bodies(&self) -> usize {
        self.lock().len()
    }

    /// How many bodies have started and are not gone.
    pub(crate) fn in_flight(&self) -> usize {
        self.in_flight.load(Ordering::Relaxed)
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }
}

struct Gone<'a>(&'a Plan, usize);

impl Drop for Gone<'_> {
    fn drop(&mut self) {
        self.0.in_flight.fetch_sub(1, Ordering::Relaxed);
        self.0.lock()[self.1].gone = Some(self.0.begun.elapsed());
    }
}

/// A failure that no other attempt can mend.
pub(crate) const REFUSED: Outcome = Err(Failure::Refused(0));
