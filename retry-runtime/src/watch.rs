//! Whether calls have somebody to tell, or something to ask, as they begin.
//!
//! A call that begins reads one word of the budget that pays: the number by which the budget is known. Zero
//! says that it is not known, and that the call has to ask. While somebody wants to hear of every beginning,
//! or an override says something that matters there, no budget is known: so every call asks, and where nobody
//! wants anything no call does more than it always did.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::{
    Budget,
    names::registry::{self, Locked},
    site,
};

/// How many want to hear of it. Changed under the lock of the budgets' registry, under which alone budgets
/// become known.
static WANTED: AtomicU32 = AtomicU32::new(0);

/// Whether anybody wants to hear of beginnings.
#[inline]
pub(crate) fn is_wanted() -> bool {
    WANTED.load(Ordering::Relaxed) != 0
}

/// From here on every call asks as it begins. Calls of other threads that began before are not affected.
pub(crate) fn want() {
    let registry = registry::lock::<Budget>();
    WANTED.fetch_add(1, Ordering::Relaxed);
    forget_all(&registry);
}

/// One of those who wanted to hear of it does not any more.
pub(crate) fn unwant() {
    let _registry = registry::lock::<Budget>();
    let fewer = |wanted: u32| wanted.checked_sub(1);
    let _at_zero = WANTED.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fewer);
}

fn forget_all(registry: &Locked<Budget>) {
    let own = site::every().map(|site| site.process_state().own());
    let named = registry.bearers();
    for budget in own.chain(named).chain([crate::call::free()]) {
        budget.forget_lead();
    }
}
