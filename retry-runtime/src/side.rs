//! What changes about calls in progress, keyed by the call's number.
//!
//! Touched only on failure, or by who asks for a key or carries a context. A call that ends looks at
//! one word to learn that there is nothing to take away.

mod attention;
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
    site::Site,
};

use attention::Attention;
use keys::Keys;
pub(crate) use keys::{begin_keyed, current_key, is_keyed, key_of_call, set_key};
use sync::AtomicU32;

/// A suppressed call's budget and what a retry after its failure costs there.
pub(crate) type Debt = (&'static Budget, Price);

/// What is known about one call in progress.
#[derive(Debug)]
struct Entry {
    /// The attempt that the rest is about. What stragglers of an earlier one leave does not count.
    attempt: u32,
    keys: Keys,
    inner: InnerFailure,
}

impl Entry {
    const fn new(attempt: u32) -> Self {
        Self {
            attempt,
            keys: Keys::new(),
            inner: InnerFailure { debts: Few::new(), unretried: Few::new() },
        }
    }
}

/// What the suppressed calls inside an attempt left behind.
#[derive(Debug, Default)]
pub(crate) struct InnerFailure {
    /// The budgets of the suppressed call that failed last, its own first.
    pub(crate) debts: Few<Debt>,
    /// The failures that nobody but this call can still retry: sites, and how many of each.
    pub(crate) unretried: Few<(&'static Site, u64)>,
}

impl InnerFailure {
    fn add_unretried(&mut self, site: &'static Site, failures: u64) {
        match self.unretried.iter_mut().find(|(known, _)| std::ptr::eq(*known, site)) {
            Some((_, count)) => *count += failures,
            None => self.unretried.push((site, failures)),
        }
    }

    /// A failure of `site` itself that only an enclosing call can still retry.
    pub(crate) fn left_to_outer(&mut self, site: &'static Site) {
        self.add_unretried(site, 1);
    }
}

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
        shard.entry(call).or_insert_with(|| {
            ATTENTION.enter();
            Entry::new(attempt)
        });
    }
    shard.get_mut(&call).map(change)
}

/// A suppressed call in the attempt whose context is `outer` has failed; what it leaves takes the
/// place of an earlier one's. Gives back what nobody is left to retry, if the attempt is over.
pub(crate) fn inner_failed(outer: &Ambient, mut failure: InnerFailure) -> Result<(), InnerFailure> {
    let call = outer.call();
    let taken = update(call, context::running_attempt(call), |entry| {
        if entry.attempt != outer.attempt {
            return false;
        }
        entry.inner.debts = std::mem::take(&mut failure.debts);
        for (site, failures) in std::mem::take(&mut failure.unretried) {
            entry.inner.add_unretried(site, failures);
        }
        true
    });
    if taken == Some(true) { Ok(()) } else { Err(failure) }
}

/// What the suppressed calls in the attempt that just ended left behind. The next attempt starts
/// afresh, its ordinals too, so that it draws the same keys.
pub(crate) fn end_attempt(call: u64) -> InnerFailure {
    if !ATTENTION.is_populated() {
        return InnerFailure::default();
    }
    let mut shard = shard(call);
    let Some(entry) = shard.get_mut(&call) else { return InnerFailure::default() };
    entry.attempt = entry.attempt.saturating_add(1);
    entry.keys.end_attempt();
    let inner = std::mem::take(&mut entry.inner);
    // Calls sleep long and in great numbers: nothing is kept for them, and nobody else's success has
    // to look into the table, on account of what the next attempt makes anew.
    if entry.keys.are_forgettable() {
        forget(&mut shard, call);
    }
    inner
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
