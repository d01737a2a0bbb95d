//! What happened, written down.

use std::sync::{Arc, Mutex, PoisonError};

use crate::{
    Event,
    event::{self, Attached},
};

/// Writes down every [`Event`] from here on, at once and in order: in the enclosing [`isolated`](super::isolated) future alone,
/// or in the process outside of one.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::testing::{self, isolated};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// isolated(async {
///     let events = testing::events();
///     // … calls in here
///     assert!(events.take().is_empty(), "nothing was called");
/// }).await;
/// # }
/// ```
pub fn events() -> Events {
    let log = Arc::<Mutex<Vec<Event>>>::default();
    let written = Arc::clone(&log);
    let attached = event::listen_here(move |event| {
        written.lock().unwrap_or_else(PoisonError::into_inner).push(event.clone());
    });
    Events { log, _attached: attached }
}

/// What happened since [`events`] was called.
#[derive(Debug)]
pub struct Events {
    log: Arc<Mutex<Vec<Event>>>,
    _attached: Attached,
}

impl Events {
    /// What has happened since this was called last.
    pub fn take(&self) -> Vec<Event> {
        std::mem::take(&mut self.log.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
