//! Who listens, and how what they do is kept away from calls.
//!
//! What users pass to [`observe`](super::observe) runs on a thread of its own, behind a queue that drops what
//! does not fit: so it may block, and panic, and no call waits for it.

use std::{
    cell::Cell,
    fmt,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
        mpsc::{SyncSender, TrySendError},
    },
};

use super::{Event, LISTENERS, What};
use crate::{
    contain::contained_within,
    isolation, side,
    warning::{self, Heard},
    watch,
};

/// Those who listen in one place: in the process, or in an isolated test.
///
/// Cheap to clone, so that no lock is held while they are told.
#[derive(Clone, Debug)]
pub(crate) struct Observers(Option<Arc<Vec<Arc<Listener>>>>);

#[derive(Debug)]
pub(super) struct Listener {
    pub(super) sink: Sink,
    pub(super) lost: AtomicU64,
    pub(super) panics: Arc<AtomicU64>,
}

/// What is called with each event, by one at a time.
type Observer = dyn FnMut(&Event) + Send;

/// Where events go.
pub(crate) enum Sink {
    /// To a thread of its own.
    Queue(SyncSender<Message>),
    /// To what is called at once, on the thread of the call. One at a time. For tests, and for where there
    /// are no threads.
    Here(Mutex<Box<Observer>>),
    /// To what is called at once and may be called by many. For this crate's own.
    #[cfg_attr(not(feature = "metrics-0-24"), allow(dead_code, reason = "nobody needs it"))]
    Direct(Box<dyn Fn(&Event) + Send + Sync>),
}

pub(crate) enum Message {
    Event(Event),
    /// Everything before has been seen once this is answered.
    Flush(SyncSender<()>),
}

impl fmt::Debug for Sink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Queue(_) => "Queue",
            Self::Here(_) => "Here",
            Self::Direct(_) => "Direct",
        })
    }
}

thread_local! {
    /// What an observer does is not observed: it would never come to an end.
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Runs an observer: whether it did not panic.
pub(super) fn contained(observer: impl FnOnce()) -> bool {
    contained_within(&INSIDE, observer).is_some()
}

impl Observers {
    /// Nobody.
    pub(crate) const fn new() -> Self {
        Self(None)
    }

    pub(super) fn tell(&self, event: &Event) {
        if !INSIDE.get() {
            self.tell_always(event);
        }
    }

    /// [`tell`](Self::tell), whoever it is that this happens to: for what happens once at most.
    pub(super) fn tell_always(&self, event: &Event) {
        self.0.iter().flat_map(|all| all.iter()).for_each(|listener| listener.tell(event));
    }

    /// How many events those who listen have not seen because too many waited for them, and how often they
    /// have panicked.
    pub(crate) fn missed(&self) -> (u64, u64) {
        let all = || self.0.iter().flat_map(|all| all.iter());
        let count = |of: fn(&Listener) -> &AtomicU64| {
            all().fold(0_u64, |sum, one| sum.saturating_add(of(one).load(Ordering::Relaxed)))
        };
        (count(|one| &one.lost), count(|one| &one.panics))
    }

    fn add(&mut self, listener: Arc<Listener>) {
        let mut all = self.0.as_deref().cloned().unwrap_or_default();
        all.push(listener);
        self.0 = Some(Arc::new(all));
    }

    /// Whether it was here.
    fn remove(&mut self, listener: &Arc<Listener>) -> bool {
        let Some(all) = &self.0 else { return false };
        let left: Vec<_> =
            all.iter().filter(|known| !Arc::ptr_eq(known, listener)).cloned().collect();
        let found = left.len() != all.len();
        self.0 = (!left.is_empty()).then(|| Arc::new(left));
        found
    }
}

impl Listener {
    fn tell(&self, event: &Event) {
        let done = match &self.sink {
            Sink::Queue(queue) => match queue.try_send(Message::Event(event.clone())) {
                Ok(()) => return,
                Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => {
                    self.lost.fetch_add(1, Ordering::Relaxed);
                    return;
                }
            },
            Sink::Here(observer) => {
                let mut observer = observer.lock().unwrap_or_else(PoisonError::into_inner);
                contained(|| observer(event))
            }
            Sink::Direct(observer) => contained(|| observer(event)),
        };
        if !done {
            self.panics.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Somebody listens, until this is dropped.
#[derive(Debug)]
pub(crate) struct Attached(pub(super) Arc<Listener>);

/// Lets a sink listen: in the isolated test around this, or in the process. Its panics are counted.
#[cfg(any(feature = "metrics-0-24", feature = "testing"))]
pub(crate) fn attach(sink: Sink, panics: Arc<AtomicU64>) -> Attached {
    let listener = listener(sink, panics);
    isolation::change_observers(|observers| observers.add(Arc::clone(&listener)));
    attached(listener)
}

/// [`attach`], and tells of what was warned about before.
pub(super) fn attach_late(sink: Sink, panics: Arc<AtomicU64>) -> Attached {
    let listener = listener(sink, panics);
    let add = || isolation::change_observers(|observers| observers.add(Arc::clone(&listener)));
    for Heard { at, warning } in warning::so_far(add) {
        listener.tell(&Event { at, origin: None, what: What::Warned(warning) });
    }
    attached(listener)
}

fn listener(sink: Sink, panics: Arc<AtomicU64>) -> Arc<Listener> {
    Arc::new(Listener { sink, lost: AtomicU64::new(0), panics })
}

fn attached(listener: Arc<Listener>) -> Attached {
    LISTENERS.fetch_add(1, Ordering::Relaxed);
    side::listen();
    watch::want();
    Attached(listener)
}

impl Drop for Attached {
    fn drop(&mut self) {
        isolation::find_observers(|observers| observers.remove(&self.0));
        LISTENERS.fetch_sub(1, Ordering::Relaxed);
        side::stop_listening();
        watch::unwant();
    }
}

/// Calls this with each event at once, on the thread and in the context in which it happens. For tests.
#[cfg(feature = "testing")]
pub(crate) fn listen_here(hear: impl FnMut(&Event) + Send + 'static) -> Attached {
    attach(Sink::Here(Mutex::new(Box::new(hear))), Arc::default())
}
