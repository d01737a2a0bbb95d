//! Who listens, and how what they do is kept away from calls.
//!
//! What users pass to [`observe`] runs on a thread of its own, behind a queue that drops what does not fit:
//! so it may block, and panic, and no call waits for it.

use std::{
    cell::Cell,
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
        mpsc::{Receiver, SyncSender, TrySendError, sync_channel},
    },
    thread,
};

use super::{Event, LISTENERS};
use crate::{isolation, side, watch};

/// How many events may wait for an observer that is busy.
const QUEUE: usize = 4_096;

/// Those who listen in one place: in the process, or in an isolated test.
///
/// Cheap to clone, so that no lock is held while they are told.
#[derive(Clone, Debug)]
pub(crate) struct Observers(Option<Arc<Vec<Arc<Listener>>>>);

#[derive(Debug)]
struct Listener {
    sink: Sink,
    lost: AtomicU64,
    panics: Arc<AtomicU64>,
}

/// What is called with each event, by one at a time.
type Observer = dyn FnMut(&Event) + Send;

/// Where events go.
pub(crate) enum Sink {
    /// To a thread of its own.
    Queue(SyncSender<Message>),
    /// To what is called at once, on the thread of the call. One at a time.
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
fn contained(observer: impl FnOnce()) -> bool {
    let outside = INSIDE.replace(true);
    let ended = catch_unwind(AssertUnwindSafe(observer));
    INSIDE.set(outside);
    ended.is_ok()
}

impl Observers {
    /// Nobody.
    pub(crate) const fn new() -> Self {
        Self(None)
    }

    pub(super) fn tell(&self, event: &Event) {
        if !INSIDE.get() {
            self.0.iter().flat_map(|all| all.iter()).for_each(|listener| listener.tell(event));
        }
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
pub(crate) struct Attached(Arc<Listener>);

/// Lets a sink listen: in the isolated test around this, or in the process. Its panics are counted.
pub(crate) fn attach(sink: Sink, panics: Arc<AtomicU64>) -> Attached {
    let listener = Arc::new(Listener { sink, lost: AtomicU64::new(0), panics });
    isolation::change_observers(|observers| observers.add(Arc::clone(&listener)));
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

/// Calls `observer` with every [`Event`] from here on, until what this returns is dropped.
///
/// It runs on a thread of its own, where there are threads: calls never wait for it, and go on whatever it
/// does. If it is so slow that 4,096 events wait, further ones are [dropped](Observing::dropped) and
/// counted; if it panics, that is counted, and the next event comes all the same. Calls that it makes itself
/// are not observed.
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
    let (sender, receiver) = sync_channel(QUEUE);
    let panics = Arc::new(AtomicU64::new(0));
    // Whoever gets it first: the thread, or, where there is none to be had, the calls.
    let shared = Arc::new(Mutex::new(Some(observer)));
    let (counted, taken) = (Arc::clone(&panics), Arc::clone(&shared));
    let body = move || {
        let observer = taken.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(observer) = observer {
            listen(&receiver, observer, &counted);
        }
    };
    let spawned = thread::Builder::new().name("stormless-observer".to_owned()).spawn(body);
    let left = match &spawned {
        Ok(_) => None,
        Err(_) => shared.lock().unwrap_or_else(PoisonError::into_inner).take(),
    };
    let sink = match left {
        Some(observer) => Sink::Here(Mutex::new(Box::new(observer))),
        None => Sink::Queue(sender),
    };
    Observing(attach(sink, panics))
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
#[derive(Debug)]
#[must_use = "nobody observes any more once this is dropped: keep it, or call `forever`"]
pub struct Observing(Attached);

impl Observing {
    /// Lets it listen for as long as the process runs.
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

    /// How many events it has not seen because too many waited for it.
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

/// Writes down events at once, in their order. For tests.
#[cfg(feature = "testing")]
pub(crate) fn recorder(log: &Arc<Mutex<Vec<Event>>>) -> Attached {
    let log = Arc::clone(log);
    let write = move |event: &Event| {
        log.lock().unwrap_or_else(PoisonError::into_inner).push(event.clone());
    };
    attach(Sink::Here(Mutex::new(Box::new(write))), Arc::default())
}
