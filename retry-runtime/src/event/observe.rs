//! What users pass to hear of everything.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
        mpsc::{Receiver, sync_channel},
    },
    thread,
};

use super::{
    Event,
    observers::{Attached, Message, Sink, attach_late, contained},
};

/// How many events may wait for an observer that is busy.
const QUEUE: usize = 4_096;

/// Calls `observer` with every [`Event`] from here on, until what this returns is dropped.
///
/// It runs on a thread of its own: calls never wait for it, and go on whatever it does. If it is so slow that
/// 4,096 events wait, further ones are [dropped](Observing::dropped) and counted, as all of them are where the
/// system starts no thread; if it panics, that is counted, and the next event comes all the same. Calls that
/// it makes itself are not observed. In WebAssembly without threads it runs on the call's thread instead, one
/// event at a time, so that there it should never block.
///
/// What was [warned](crate::warnings) about before comes first.
///
/// While anybody observes, each call costs an allocation or two and some readings of the clock. While nobody
/// does it costs nothing.
///
/// ```
/// # use retry_runtime as stormless;
/// let observing = stormless::observe(|event| {
///     if let stormless::What::CallStopped { reason, .. } = event.what() {
///         println!("{:?} gave up: {}", event.site(), reason.label());
///     }
/// });
/// // … calls
/// observing.flush();
/// ```
pub fn observe(observer: impl FnMut(&Event) + Send + 'static) -> Observing {
    observe_on(observer, |body| {
        thread::Builder::new().name("stormless-observer".to_owned()).spawn(body).is_ok()
    })
}

/// [`observe`] on a thread that `spawn` starts, if it can.
fn observe_on(
    observer: impl FnMut(&Event) + Send + 'static,
    spawn: impl FnOnce(Box<dyn FnOnce() + Send>) -> bool,
) -> Observing {
    let (sender, receiver) = sync_channel(QUEUE);
    let panics = Arc::new(AtomicU64::new(0));
    // Whoever gets it first: the thread, or, where there are no threads, the calls.
    let shared = Arc::new(Mutex::new(Some(observer)));
    let (counted, taken) = (Arc::clone(&panics), Arc::clone(&shared));
    let spawned = spawn(Box::new(move || {
        let observer = taken.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(observer) = observer {
            listen(&receiver, observer, &counted);
        }
    }));
    let left = if spawned || !cfg!(target_family = "wasm") {
        None
    } else {
        shared.lock().unwrap_or_else(PoisonError::into_inner).take()
    };
    let sink = match left {
        Some(observer) => Sink::Here(Mutex::new(Box::new(observer))),
        // Without the thread nobody receives, and each event counts as dropped.
        None => Sink::Queue(sender),
    };
    Observing(attach_late(sink, panics))
}

/// The thread of an observer: until nobody can send any more.
fn listen(queue: &Receiver<Message>, mut observer: impl FnMut(&Event), panics: &AtomicU64) {
    for message in queue {
        match message {
            Message::Event(event) => {
                if !contained(|| observer(&event)) {
                    panics.fetch_add(1, Ordering::Relaxed);
                }
            }
            Message::Flush(done) => {
                // Whoever asked may have gone.
                let _gone = done.send(());
            }
        }
    }
}

/// An observer; from [`observe`]. Dropped, it hears no more than what waits for it already.
///
/// ```
/// # use retry_runtime as stormless;
/// let observing = stormless::observe(|event| println!("{:?}", event.what()));
/// // … calls
/// observing.flush();
/// assert_eq!((observing.dropped(), observing.panics()), (0, 0));
/// drop(observing); // ends it
/// ```
#[derive(Debug)]
#[must_use = "nobody observes any more once this is dropped: keep it, or call `forever`"]
pub struct Observing(Attached);

impl Observing {
    /// Lets it listen for as long as the process runs.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// stormless::observe(|event| println!("{:?}", event.what())).forever();
    /// ```
    pub fn forever(self) {
        std::mem::forget(self);
    }

    /// Waits until it has seen everything that has happened so far on this thread. Blocks; not for use in
    /// the observer.
    pub fn flush(&self) {
        if let Sink::Queue(queue) = &self.0.0.sink {
            let (done, ended) = sync_channel(1);
            if queue.send(Message::Flush(done)).is_ok() {
                let _ended = ended.recv();
            }
        }
    }

    /// How many events it has not seen because too many waited for it, or because it has no
    /// thread.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        self.0.0.lost.load(Ordering::Relaxed)
    }

    /// How often it has panicked.
    #[must_use]
    pub fn panics(&self) -> u64 {
        self.0.0.panics.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BreakerState, What};

    #[test]
    fn events_are_dropped_and_counted_where_no_thread_can_be_started() {
        let seen = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&seen);
        let observe = move |_: &Event| {
            counted.fetch_add(1, Ordering::Relaxed);
        };
        let observing = observe_on(observe, |body| {
            drop(body);
            false
        });
        let (before, to) = (observing.dropped(), BreakerState::Open);
        crate::event::tell(|| What::BreakerChanged { breaker: "any", from: to, to });
        observing.flush();
        assert!(observing.dropped() > before);
        assert_eq!(seen.load(Ordering::Relaxed), 0);
    }
}
