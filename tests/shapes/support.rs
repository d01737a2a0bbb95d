//! Bodies that fail by script and are counted, and what is known of the futures that run them.

use std::{
    num::ParseIntError,
    sync::atomic::{AtomicU32, Ordering},
};

use stormless::{Classification, Retryable};

/// A failure that a retry can help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Failed;

impl Retryable for Failed {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

impl From<ParseIntError> for Failed {
    fn from(_: ParseIntError) -> Self {
        Self
    }
}

/// Fails the first bodies and counts them all. A static in each test, so that no signature has to
/// carry it.
pub(crate) struct Tries {
    failures: u32,
    bodies: AtomicU32,
}

impl Tries {
    pub(crate) const fn failing(failures: u32) -> Self {
        Self { failures, bodies: AtomicU32::new(0) }
    }

    /// One body runs.
    pub(crate) fn run(&self) -> Result<(), Failed> {
        let earlier = self.bodies.fetch_add(1, Ordering::Relaxed);
        if earlier < self.failures { Err(Failed) } else { Ok(()) }
    }

    /// One body runs and waits once, holding its value meanwhile.
    pub(crate) async fn answer<T>(&self, value: T) -> Result<T, Failed> {
        tokio::task::yield_now().await;
        self.run().map(|()| value)
    }

    /// How many bodies ran.
    pub(crate) fn bodies(&self) -> u32 {
        self.bodies.load(Ordering::Relaxed)
    }
}

/// A future that may move between threads, as the plain function's may.
pub(crate) fn send<F: Future + Send>(future: F) -> F {
    future
}

/// A future that stays on its thread, as the plain function's does.
pub(crate) fn local<F: Future>(future: F) -> F {
    future
}
