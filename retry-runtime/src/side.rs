//! What changes about calls in progress, keyed by the call's number.
//!
//! Touched only on failure, or by who asks for a key or carries a context. A call that ends looks at
//! one word to learn that there is nothing to take away.

use std::{
    collections::BTreeMap,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
};

use crate::{
    Budget, IdempotencyKey,
    context::{self, Ambient},
    site::Site,
};

/// A suppressed call's budget and what a retry after its failure costs there.
pub(crate) type Debt = (&'static Budget, u32);

/// What is known about one call in progress.
#[derive(Debug, Default)]
struct Entry {
    key: Option<IdempotencyKey>,
    ordinals: Vec<(u32, u32)>,
    inner: InnerFailure,
}

/// What the suppressed calls inside an attempt left behind.
#[derive(Debug, Default)]
pub(crate) struct InnerFailure {
    /// The budgets of the suppressed call that failed last, its own first.
    pub(crate) debts: Vec<Debt>,
    /// The sites whose failures nobody but this call can still retry.
    pub(crate) unretried: Vec<&'static Site>,
}

const SHARDS: usize = 16;
static TABLE: [Mutex<BTreeMap<u32, Entry>>; SHARDS] =
    [const { Mutex::new(BTreeMap::new()) }; SHARDS];

/// Twice the number of entries, plus one while successes are counted: the one word that the end of a
/// call looks at.
static ATTENTION: AtomicU32 = AtomicU32::new(0);
const COUNTING: u32 = 1;
const ENTRY: u32 = 2;

/// Whether the end of a call has anything to look for.
#[inline]
pub(crate) fn attention() -> bool {
    ATTENTION.load(Ordering::Relaxed) != 0
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

fn shard(call: u32) -> MutexGuard<'static, BTreeMap<u32, Entry>> {
    TABLE[call as usize % SHARDS].lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs `change` on the call's entry. A call that is certainly in progress gets one if it has none; a
/// carried context may name a call that has ended, and an ended call takes no entry.
fn update<T>(call: u32, in_progress: bool, change: impl FnOnce(&mut Entry) -> T) -> Option<T> {
    let mut shard = shard(call);
    if in_progress && !shard.contains_key(&call) {
        shard.insert(call, Entry::default());
        ATTENTION.fetch_add(ENTRY, Ordering::Relaxed);
    }
    shard.get_mut(&call).map(change)
}

/// A suppressed call inside `outer` has failed; what it leaves takes the place of an earlier one's.
pub(crate) fn inner_failed(outer: u32, in_progress: bool, failure: InnerFailure) {
    update(outer, in_progress, |entry| {
        entry.inner.debts = failure.debts;
        for site in failure.unretried {
            if !entry.inner.unretried.iter().any(|known| std::ptr::eq(*known, site)) {
                entry.inner.unretried.push(site);
            }
        }
    });
}

/// What the suppressed calls in the attempt that just ended left behind. The next attempt starts
/// afresh, its ordinals too, so that it draws the same keys.
pub(crate) fn end_attempt(call: u32) -> InnerFailure {
    if !attention() {
        return InnerFailure::default();
    }
    let mut shard = shard(call);
    let Some(entry) = shard.get_mut(&call) else { return InnerFailure::default() };
    entry.ordinals.clear();
    std::mem::take(&mut entry.inner)
}

/// The call has ended.
pub(crate) fn end_call(call: u32) {
    if shard(call).remove(&call).is_some() {
        ATTENTION.fetch_sub(ENTRY, Ordering::Relaxed);
    }
}

/// Sets the call's key from the user's data.
pub(crate) fn set_key(call: u32, key: IdempotencyKey) {
    update(call, true, |entry| entry.key = Some(key));
}

/// The running call's key, made on first use: derived from the enclosing call's key, the site and the
/// ordinal of that site's keys within the enclosing attempt, so that a repeat of the enclosing attempt
/// draws the same; at random where there is no enclosing call. `None` outside of an attempt.
pub(crate) fn current_key() -> Option<IdempotencyKey> {
    let mut calls = context::enclosing();
    // Scopes inside an attempt repeat its call; a root scope hides what is around it.
    calls.dedup_by_key(|frame| frame.call);
    let inside = calls.iter().position(|frame| frame.call == 0).unwrap_or(calls.len());
    key_of(&calls[..inside])
}

fn key_of(calls: &[Ambient]) -> Option<IdempotencyKey> {
    let (this, around) = calls.split_first()?;
    let in_progress = !this.has(context::CARRIED);
    if let Some(key) = update(this.call, in_progress, |entry| entry.key.clone()).flatten() {
        return Some(key);
    }
    // A carried context has its key already, unless its call has ended; what is around it here is not
    // what was around it there.
    let outer = if in_progress { key_of(around).zip(around.first()) } else { None };
    let made = match outer {
        Some((outer_key, outer)) => {
            let ordinal = update(outer.call, !outer.has(context::CARRIED), |entry| {
                entry.next_ordinal(this.site)
            });
            IdempotencyKey::derived(&outer_key, this.site, ordinal.unwrap_or(0))
        }
        None => IdempotencyKey::random(),
    };
    update(this.call, in_progress, |entry| entry.key = Some(made.clone()));
    Some(made)
}

impl Entry {
    fn next_ordinal(&mut self, site: u32) -> u32 {
        let known = self.ordinals.iter().position(|(known, _)| *known == site);
        let at = known.unwrap_or(self.ordinals.len());
        if known.is_none() {
            self.ordinals.push((site, 0));
        }
        let next = &mut self.ordinals[at].1;
        let ordinal = *next;
        *next = next.saturating_add(1);
        ordinal
    }
}
