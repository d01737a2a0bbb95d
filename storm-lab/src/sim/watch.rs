//! How far a simulation is, and whether it is to stop.

use std::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    time::Duration,
};

/// Shared by whoever simulates and whoever waits for it.
#[derive(Debug, Default)]
pub struct Watch {
    stop: AtomicBool,
    /// Simulated milliseconds, of all simulations together.
    simulated: AtomicU64,
    events: AtomicU64,
}

impl Watch {
    /// Lets all simulations end soon, without a result.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether they are to end.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Notes what was simulated since this was last called.
    pub fn advance(&self, time: Duration, events: u64) {
        let millis = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        self.simulated.fetch_add(millis, Ordering::Relaxed);
        self.events.fetch_add(events, Ordering::Relaxed);
    }

    /// The simulated time of all simulations so far, one after the other.
    pub fn simulated(&self) -> Duration {
        Duration::from_millis(self.simulated.load(Ordering::Relaxed))
    }

    /// The events so far.
    pub fn events(&self) -> u64 {
        self.events.load(Ordering::Relaxed)
    }
}
