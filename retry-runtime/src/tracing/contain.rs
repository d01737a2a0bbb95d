//! What a subscriber does is kept away from calls.

use std::{cell::Cell, fmt, panic::AssertUnwindSafe};

use ::tracing::{Dispatch, Span, dispatcher, span::Entered, subscriber::NoSubscriber};

use crate::contain::contained_within;

thread_local! {
    /// What a subscriber does is not traced: it would never come to an end.
    static TELLING: Cell<bool> = const { Cell::new(false) };
}

/// Runs what calls a subscriber; `None` if that panicked.
pub(super) fn contained<T>(told: impl FnOnce() -> T) -> Option<T> {
    contained_within(&TELLING, told)
}

/// Whether this is a subscriber that was called from here.
pub(super) fn is_telling() -> bool {
    TELLING.get()
}

/// Whether there is a subscriber on this thread. Where there is none, but one that wants everything on every
/// other, filters do not say so.
pub(super) fn is_heard() -> bool {
    !dispatcher::get_default(Dispatch::is::<NoSubscriber>)
}

/// A span that whoever holds it may drop anywhere.
///
/// Whatever a subscriber keeps in it, nothing here sees it broken after a panic: what is done with a span is
/// done by the subscriber.
pub(super) struct Held(AssertUnwindSafe<Span>);

impl Held {
    pub(super) const fn new(span: Span) -> Self {
        Self(AssertUnwindSafe(span))
    }

    pub(super) fn span(&self) -> &Span {
        &self.0
    }

    /// For as long as this is in scope, the span is the current one. As around any future that is
    /// instrumented, a subscriber that panics here panics in the body.
    pub(super) fn enter(&self) -> Inside<'_> {
        Inside { _entered: Some(self.0.enter()) }
    }
}

impl Clone for Held {
    fn clone(&self) -> Self {
        Self::new(contained(|| self.span().clone()).unwrap_or_else(Span::none))
    }
}

impl fmt::Debug for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.span().fmt(f)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let span = std::mem::replace(&mut self.0.0, Span::none());
        if !span.is_none() {
            contained(|| drop(span));
        }
    }
}

/// Where code runs: in a span, or where it ran before.
pub(crate) struct Inside<'a> {
    _entered: Option<Entered<'a>>,
}

impl Inside<'_> {
    pub(crate) const NOWHERE: Self = Self { _entered: None };
}
