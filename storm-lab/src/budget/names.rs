//! Names that live as long as the program.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// Each is kept once.
static KEPT: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

pub(super) fn kept(name: String) -> &'static str {
    // A set is whole whatever panicked.
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = kept.get(name.as_str()) {
        return known;
    }
    let name: &'static str = Box::leak(name.into_boxed_str());
    kept.insert(name);
    name
}
