//! Which budget or breaker answers in the place of another, and whether it is switched off.
//!
//! A call finds out with one load whether the one it knows still answers to the name. What changes
//! that takes the registry's lock; the switch does not.
//!
//! This file names its atomics through `super::sync`, so that the model checker can compile the
//! very same code over its own.

use super::sync::{AtomicBool, AtomicU32, OnceLock, Ordering, fence};

/// One place among those of a name.
#[derive(Debug)]
pub(crate) struct Succession<T: 'static> {
    /// The id, while this is known to be the one that answers to the name; else 0.
    lead: AtomicU32,
    /// The one that answers in its place.
    successor: OnceLock<&'static T>,
    off: AtomicBool,
}

impl<T> Succession<T> {
    /// Of one that nobody has asked about, around new atomics.
    pub(crate) const fn new(
        lead: AtomicU32,
        successor: OnceLock<&'static T>,
        off: AtomicBool,
    ) -> Self {
        Self { lead, successor, off }
    }

    /// The id, if this is known to be the one that answers to the name.
    #[inline]
    pub(crate) fn lead(&self) -> Option<u32> {
        match self.lead.load(Ordering::Relaxed) {
            0 => None,
            id => Some(id),
        }
    }

    /// The one that answers in this one's place, or leads to the one that does.
    pub(crate) fn successor(&self) -> Option<&'static T> {
        self.successor.get().copied()
    }

    /// Takes note that this one answers to the name, unless it no longer does. Under the registry's
    /// lock, so that nobody hands over between the look and the store.
    pub(crate) fn publish(&self, id: u32) {
        if self.successor().is_none() {
            self.lead.store(id, Ordering::Relaxed);
        }
    }

    /// Whoever asks is to look again. Under the registry's lock.
    pub(crate) fn unpublish(&self) {
        self.lead.store(0, Ordering::Relaxed);
    }

    /// From here on another one answers to the name. `None` if one did already; else whether
    /// this one is switched off, and so the other is to be. Under the registry's lock.
    pub(crate) fn hand_over(&self, to: &'static T) -> Option<bool> {
        self.successor.set(to).ok()?;
        self.lead.store(0, Ordering::Relaxed);
        // Who throws the switch stores it and then looks for a successor. One of the two sees what the
        // other has stored.
        fence(Ordering::SeqCst);
        Some(self.is_off())
    }

    /// Whether it is switched off.
    pub(crate) fn is_off(&self) -> bool {
        self.off.load(Ordering::Relaxed)
    }

    /// Switches it off or on. What [`successor`](Self::successor) says from here on is to be
    /// switched too.
    pub(crate) fn set_off(&self, off: bool) {
        self.off.store(off, Ordering::Relaxed);
        fence(Ordering::SeqCst);
    }
}
