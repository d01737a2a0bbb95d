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
///
/// ```
/// # use retry_runtime as stormless;
/// use std::io::{Error, ErrorKind::ConnectionRefused};
/// use stormless::{Policy, What, testing::{Events, Script, events, isolated}};
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// isolated(async {
///     let events: Events = events();
///     let server = Script::new([Err(Error::from(ConnectionRefused)), Ok(7)]);
///     assert_eq!(Policy::new().run(async || server.next().await).await.unwrap(), 7);
///     let all = events.take();
///     assert!(all.iter().any(|event| matches!(event.what(), What::CallStarted)));
///     let retries = all.iter().filter(|event| matches!(event.what(), What::RetryScheduled { .. }));
///     assert_eq!(retries.count(), 1);
///     assert!(events.take().is_empty(), "nothing happened since");
/// }).await;
/// # }
/// ```
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
