//! What the tests of this crate make for as long as the process lives.

use std::sync::{Mutex, PoisonError};

/// As if it were in a static.
pub(crate) fn leak<T: ?Sized + Sync>(value: Box<T>) -> &'static T {
    /// So that it is in use to whoever looks for leaks.
    static LIVE: Mutex<Vec<Box<dyn Send>>> = Mutex::new(Vec::new());
    let value: &'static T = Box::leak(value);
    LIVE.lock().unwrap_or_else(PoisonError::into_inner).push(Box::new(value));
    value
}
