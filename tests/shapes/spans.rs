//! How many spans and events of `tracing` a call makes.

use std::{cell::Cell, sync::Once};

use tracing::{
    Event, Metadata, Subscriber,
    span::{Attributes, Id, Record},
};

thread_local! {
    /// Spans and events made on this thread.
    static MADE: Cell<(u32, u32)> = const { Cell::new((0, 0)) };
}

/// Counts for whichever thread it is.
struct Counter;

impl Subscriber for Counter {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("shapes")
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        let (spans, events) = MADE.get();
        MADE.set((spans + 1, events));
        Id::from_u64(1)
    }

    fn event(&self, _: &Event<'_>) {
        let (spans, events) = MADE.get();
        MADE.set((spans, events + 1));
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// What this thread makes from here on.
pub(crate) struct Watch((u32, u32));

impl Watch {
    pub(crate) fn start() -> Self {
        static INSTALLED: Once = Once::new();
        INSTALLED.call_once(|| {
            tracing::subscriber::set_global_default(Counter).expect("it is the only one");
        });
        Self(MADE.get())
    }

    /// Spans and events.
    pub(crate) fn seen(&self) -> (u32, u32) {
        let (spans, events) = MADE.get();
        (spans - self.0.0, events - self.0.1)
    }
}
