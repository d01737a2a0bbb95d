//! What happens to calls, as one stream of typed events.

mod observe;
mod observers;
mod retry;
mod what;

pub use observe::{Observing, observe};
#[cfg(any(feature = "metrics-0-24", feature = "testing"))]
pub(crate) use observers::Attached;
pub(crate) use observers::Observers;
pub use retry::RetryEvent;
pub use what::What;

#[cfg(feature = "testing")]
pub(crate) use observers::listen_here;
#[cfg(feature = "metrics-0-24")]
pub(crate) use observers::{Sink, attach};

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use crate::{
    BreakerState, Budget, Moment, RetryId, Warning, clock, isolation, site::Site, tracing, warning,
};

/// Something that happened: to a call, or to what calls share.
///
/// What it says of calls and breakers comes from sets that are known when the program is compiled, or from the
/// names that it declares, so that it is safe to count by. [`What::Overrides`] and [`What::Warned`] are for
/// people: notes, texts of documents and other names are in them, so count them, but not by what they say. The
/// texts of your errors, arguments and keys are in no event.
///
/// ```standalone_crate
/// # use retry_runtime as stormless;
/// use stormless::{Policy, What};
/// use std::sync::mpsc;
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let (send, events) = mpsc::channel();
/// let observing = stormless::observe(move |event| {
///     let number = event.attempt();
///     send.send((event.site(), number, event.what().clone(), event.at(), event.retry_id())).ok();
///     let _pays = event.budget();
/// });
/// Policy::new().run(async || Ok::<_, std::io::Error>(())).named("fetch").await.unwrap();
/// observing.flush();
/// let (site, number, what, ..) = events.recv().unwrap();
/// assert_eq!((site, number, what), (Some("fetch"), Some(0), What::CallStarted));
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Event {
    at: Moment,
    origin: Option<Origin>,
    what: What,
}

/// The call that an event is about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin {
    pub(crate) site: &'static Site,
    pub(crate) budget: Option<&'static Budget>,
    pub(crate) call: u64,
    pub(crate) attempt: u32,
}

impl Event {
    /// When it happened, on the clock that deadlines go by.
    #[must_use]
    pub const fn at(&self) -> Moment {
        self.at
    }

    /// What happened.
    #[must_use]
    pub const fn what(&self) -> &What {
        &self.what
    }

    /// The function whose call it is; `None` for what calls share, such as a breaker.
    #[must_use]
    pub fn site(&self) -> Option<&'static str> {
        self.origin.map(|origin| origin.site.name())
    }

    /// The budget that pays for the call's retries, if one does: `(own)` for the function's own bucket.
    #[must_use]
    pub fn budget(&self) -> Option<&'static str> {
        self.origin.and_then(|origin| origin.budget).map(Budget::name)
    }

    /// Tells the attempt from all others, in this process and elsewhere; where none has started by then, it
    /// tells the call from all others. Never a label of metrics.
    #[must_use]
    pub fn retry_id(&self) -> Option<RetryId> {
        self.origin.map(|origin| RetryId::new(origin.call, origin.attempt))
    }

    /// The number of the attempt that it is about, or that was the last one by then; the first is 1. It is 0
    /// where none has started: as a call begins, and at the end of one that was kept from its first.
    #[must_use]
    pub fn attempt(&self) -> Option<u32> {
        self.origin.map(|origin| origin.attempt)
    }

    /// The call, as the engine knows it.
    #[cfg(any(feature = "metrics-0-24", feature = "testing"))]
    pub(crate) const fn origin(&self) -> Option<Origin> {
        self.origin
    }
}

/// How many listen in the whole process, isolated tests included.
static LISTENERS: AtomicU32 = AtomicU32::new(0);

/// Whether anybody may want to hear of an event.
#[inline]
pub(crate) fn is_wanted() -> bool {
    LISTENERS.load(Ordering::Relaxed) != 0
}

/// Whether somebody wants to hear of every call from its beginning, whom the words that calls read as they begin
/// do not know of.
#[inline]
pub(crate) fn wants_calls() -> bool {
    tracing::wants_calls()
}

/// Tells everybody who listens here. What they make of it changes nothing about the call.
#[cold]
pub(crate) fn emit(at: Moment, origin: Option<Origin>, what: What) {
    let event = Event { at, origin, what };
    isolation::observers().tell(&event);
}

/// Tells of what calls share.
pub(crate) fn tell(what: impl FnOnce() -> What) {
    tell_at(clock::now, what);
}

/// [`tell`], where somebody may know what time it is.
pub(crate) fn tell_at(at: impl FnOnce() -> Moment, what: impl FnOnce() -> What) {
    let (observed, recorded) = (is_wanted(), tracing::wants_warnings());
    if observed || recorded {
        tell_all(at(), what(), observed);
    }
}

/// Tells these of a warning, each of which is told once.
pub(crate) fn tell_warning(observers: &Observers, at: Moment, warning: Arc<Warning>) {
    observers.tell_always(&Event { at, origin: None, what: What::Warned(warning) });
}

/// Tells whoever listens, and whoever keeps records, of what calls share.
#[cold]
fn tell_all(at: Moment, what: What, observed: bool) {
    warning::record();
    tracing::tell(&what);
    if observed {
        emit(at, None, what);
    }
}

/// A breaker has changed its state. Called once for each change, after its lock was released.
pub(crate) fn breaker_changed(
    breaker: &'static str,
    from: BreakerState,
    to: BreakerState,
    now: Moment,
) {
    tell_at(|| now, || What::BreakerChanged { breaker, from, to });
}
