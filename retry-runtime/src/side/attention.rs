//! The words that spare those who end a call a look into the table.
//!
//! This file names its atomics through `super::sync`, so that the model checker can compile the
//! very same code over its own.

use super::sync::{AtomicU32, Ordering};

const COUNTING: u32 = 1;
const ONE: u32 = 2;

/// How much there is to look for at the end of a call.
///
/// Every operation is relaxed. A call's entry is made by whoever polls the call, so that whoever ends it
/// comes after that; from there on no count that it can read lacks the entry until it is taken away.
#[derive(Debug)]
pub(crate) struct Attention {
    /// Twice the number of entries and of report scopes, plus one while successes are counted: the one
    /// word that a success looks at.
    all: AtomicU32,
    entries: AtomicU32,
}

impl Attention {
    /// None, around words that are zero.
    pub(crate) const fn new(all: AtomicU32, entries: AtomicU32) -> Self {
        Self { all, entries }
    }

    /// Whether the end of a call has anything to look for.
    #[inline]
    pub(crate) fn is_wanted(&self) -> bool {
        self.all.load(Ordering::Relaxed) != 0
    }

    /// Whether the table has entries.
    pub(crate) fn is_populated(&self) -> bool {
        self.entries.load(Ordering::Relaxed) != 0
    }

    /// An entry is made, under the lock of its part of the table.
    pub(crate) fn enter(&self) {
        self.entries.fetch_add(1, Ordering::Relaxed);
        self.all.fetch_add(ONE, Ordering::Relaxed);
    }

    /// An entry is taken away, under the same lock.
    pub(crate) fn leave(&self) {
        self.entries.fetch_sub(1, Ordering::Relaxed);
        self.all.fetch_sub(ONE, Ordering::Relaxed);
    }

    /// A report scope opens.
    pub(crate) fn listen(&self) {
        self.all.fetch_add(ONE, Ordering::Relaxed);
    }

    /// A report scope closes.
    pub(crate) fn stop_listening(&self) {
        self.all.fetch_sub(ONE, Ordering::Relaxed);
    }

    /// Whether calls that succeed at once are counted.
    #[cfg_attr(
        feature = "testing",
        allow(dead_code, reason = "isolated tests count for themselves")
    )]
    pub(crate) fn is_counting(&self) -> bool {
        self.all.load(Ordering::Relaxed) & COUNTING != 0
    }

    pub(crate) fn set_counting(&self, on: bool) {
        if on {
            self.all.fetch_or(COUNTING, Ordering::Relaxed);
        } else {
            self.all.fetch_and(!COUNTING, Ordering::Relaxed);
        }
    }
}
