//! What changes about calls in progress, keyed by the call's number.
//!
//! Touched only on failure, or by who asks for a key or carries a context. A call that ends looks at
//! one word to learn that there is nothing to take away.

mod attention;
mod entry;
mod keys;
/// Named once, so that a model can put others in their place.
mod sync {
    pub(super) use std::sync::atomic::{AtomicU32, Ordering};
}

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use crate::{
    Budget,
    budget::Price,
    context::{self, Ambient},
    few::Few,
};

use attention::Attention;
use entry::Entry;
pub(crate) use entry::InnerFailure;
pub(crate) use keys::{begin_keyed, current_key, is_keyed, key_of_call, set_key};
use sync::AtomicU32;

/// A suppressed call's budget and what a retry after its failure costs there.
pub(crate) type Debt = (&'static Budget, Price);

const SHARDS: usize = 16;
static TABLE: [Mutex<BTreeMap<u64, Entry>>; SHARDS] =
    [const { Mutex::new(BTreeMap::new()) }; SHARDS];

static ATTENTION: Attention = Attention::new(AtomicU32::new(0), AtomicU32::new(0));

/// Whether the end of a call has anything to look for.
#[inline]
pub(crate) fn attention() -> bool {
    ATTENTION.is_wanted()
}

/// A report scope opens.
pub(crate) fn listen() {
    ATTENTION.listen();
}

/// A report scope closes.
pub(crate) fn stop_listening() {
    ATTENTION.stop_listening();
}

/// Whether calls that succeed at once are counted.
#[cfg(not(feature = "testing"))]
pub(crate) fn counting() -> bool {
    ATTENTION.is_counting()
}

pub(crate) fn set_counting(on: bool) {
    ATTENTION.set_counting(on);
}

fn shard(call: u64) -> MutexGuard<'static, BTreeMap<u64, Entry>> {
    #[expect(clippy::cast_possible_truncation, reason = "the lowest bits choose the shard")]
    let shard = call as usize % SHARDS;
    TABLE[shard].lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs `change` on the call's entry. A call that is certainly in progress gets one if it has none; a
/// copy of its context may outlive it, and an ended call takes no entry.
fn update<T>(call: u64, running: Option<u32>, change: impl FnOnce(&mut Entry) -> T) -> Option<T> {
    let mut shard = shard(call);
    if let Some(attempt) = running {
        let entry = shard.entry(call).or_insert_with(|| {
            ATTENTION.enter();
            Entry::new(attempt)
        });
        entry.know(attempt);
    }
    shard.get_mut(&call).map(change)
}

/// A suppressed call in the attempt whose context is `outer` has failed; what it leaves takes the
/// place of an earlier one's. Gives back what nobody is left to retry, if the attempt is over.
pub(crate) fn inner_failed(outer: &Ambient, mut failure: InnerFailure) -> Result<(), InnerFailure> {
    let call = outer.call();
    let taken = update(call, context::running_attempt(call), |entry| {
        let Some(attempt) = entry.at(outer.attempt()) else { return false };
        attempt.inner.debts = std::mem::take(&mut failure.debts);
        for (site, failures) in std::mem::take(&mut failure.unretried) {
            attempt.inner.add_unretried(site, failures);
        }
        true
    });
    if taken == Some(true) { Ok(()) } else { Err(failure) }
}

/// What the suppressed calls in the attempt that just ended left behind. The next attempt, which comes
/// after as many as have `started`, begins afresh.
pub(crate) fn end_attempt(call: u64, started: u32) -> InnerFailure {
    if !ATTENTION.is_populated() {
        return InnerFailure::default();
    }
    let mut shard = shard(call);
    let Some(entry) = shard.get_mut(&call) else { return InnerFailure::default() };
    let inner = entry.end_attempt(context::after(started));
    // Calls sleep long and in great numbers: nothing is kept for them, and nobody else's success has
    // to look into the table, on account of what the next attempt makes anew.
    if entry.keys.are_forgettable() {
        forget(&mut shard, call);
    }
    inner
}

/// Of several attempts in flight this one decides what becomes of the call. What suppressed calls left in
/// the others was repeated by this one, or is not to be.
pub(crate) fn keep_attempt(call: u64, attempt: u32) {
    if ATTENTION.is_populated() {
        if let Some(entry) = shard(call).get_mut(&call) {
            entry.keep(attempt);
        }
    }
}

/// What the suppressed calls that have failed so far in the attempts in flight would cost to repeat.
pub(crate) fn debts(call: u64) -> Few<Debt> {
    if !ATTENTION.is_populated() {
        return Few::new();
    }
    let shard = shard(call);
    let attempts = shard.get(&call).into_iter().flat_map(Entry::attempts);
    attempts.flat_map(|attempt| attempt.inner.debts.iter().copied()).collect()
}

fn forget(shard: &mut BTreeMap<u64, Entry>, call: u64) {
    if shard.remove(&call).is_some() {
        ATTENTION.leave();
    }
}

/// The call has ended.
pub(crate) fn end_call(call: u64) {
    if ATTENTION.is_populated() {
        forget(&mut shard(call), call);
    }
}
