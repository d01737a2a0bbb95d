//! The one word that tells the end of a call whether there is anything to look for.

use std::sync::atomic::{AtomicU32, Ordering};

/// Twice the number of entries and of report scopes, plus one while successes are counted: the one
/// word that a success looks at.
static ATTENTION: AtomicU32 = AtomicU32::new(0);
const COUNTING: u32 = 1;
const ONE: u32 = 2;

/// Whether the end of a call has anything to look for.
#[inline]
pub(crate) fn attention() -> bool {
    ATTENTION.load(Ordering::Relaxed) != 0
}

/// An entry is made, or a report scope opens.
pub(crate) fn listen() {
    ATTENTION.fetch_add(ONE, Ordering::Relaxed);
}

/// An entry is taken away, or a report scope closes.
pub(crate) fn stop_listening() {
    ATTENTION.fetch_sub(ONE, Ordering::Relaxed);
}

/// Whether calls that succeed at once are counted.
#[cfg(not(feature = "testing"))]
pub(crate) fn counting() -> bool {
    ATTENTION.load(Ordering::Relaxed) & COUNTING != 0
}

pub(crate) fn set_counting(on: bool) {
    if on {
        ATTENTION.fetch_or(COUNTING, Ordering::Relaxed);
    } else {
        ATTENTION.fetch_and(!COUNTING, Ordering::Relaxed);
    }
}
