//! What changes about calls in progress, keyed by the call's number.
//!
//! Touched only on failure, or by who asks for a key or carries a context. A call that ends looks at
//! one word to learn that there is nothing to take away.

mod attention;
/// Named once, so that a model can put others in their place.
mod sync {
    pub(super) use std::sync::atomic::{AtomicU32, Ordering};
}

use std::{
    collections::BTreeMap,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use self::{attention::Attention, sync::AtomicU32};

use crate::{
    Budget, IdempotencyKey,
    context::{self, Ambient},
    few::Few,
    site::Site,
};

/// A suppressed call's budget and what a retry after its failure costs there.
pub(crate) type Debt = (&'static Budget, u32);

/// What is known about one call in progress.
#[derive(Debug)]
struct Entry {
    /// The attempt that the rest is about. What stragglers of an earlier one leave does not count.
    attempt: u32,
    key: Option<IdempotencyKey>,
    /// The call's own place among the calls of its site in the enclosing attempt, if it was given one
    /// when it began.
    ordinal: Option<u32>,
    /// The places that this attempt has given to the calls of each site.
    places: Vec<Places>,
    /// Sites whose calls of an earlier attempt got their places in another order than they began in.
    shuffled: Vec<u32>,
    inner: InnerFailure,
}

/// The places of one site's calls in an attempt.
#[derive(Debug)]
struct Places {
    site: u32,
    next: u32,
    /// The last call that got its place only when it asked for its key.
    last_to_ask: Option<u64>,
    shuffled: bool,
}

impl Entry {
    const fn new(attempt: u32) -> Self {
        Self {
            attempt,
            key: None,
            ordinal: None,
            places: Vec::new(),
            shuffled: Vec::new(),
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
    for places in std::mem::take(&mut entry.places) {
        if places.shuffled && !entry.shuffled.contains(&places.site) {
            entry.shuffled.push(places.site);
        }
    }
    let inner = std::mem::take(&mut entry.inner);
    // Calls sleep long and in great numbers: nothing is kept for them, and nobody else's success has
    // to look into the table, on account of what the next attempt makes anew.
    if entry.is_forgettable() {
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

/// Sets the key of a call that is beginning, from the user's data.
pub(crate) fn set_key(call: u64, key: IdempotencyKey) {
    update(call, Some(1), |entry| entry.key = Some(key));
}

/// The sites whose calls have ever asked for a key, by the lowest bits of what stands for them. A site
/// that shares its bit with one that did is taken for one too, which costs it a look into the table.
static KEYED: [AtomicU64; 64] = [const { AtomicU64::new(0) }; 64];

const fn keyed_bit(site: u32) -> (usize, u64) {
    ((site >> 6) as usize % 64, 1 << (site % 64))
}

/// Whether calls of this site ask for keys.
#[inline]
pub(crate) fn is_keyed(site: u32) -> bool {
    let (word, bit) = keyed_bit(site);
    KEYED[word].load(Ordering::Relaxed) & bit != 0
}

/// Gives a call that begins its place among the calls of its site in the enclosing attempt. Calls that
/// run side by side begin in the order in which they are written, whichever asks for its key first.
#[cold]
pub(crate) fn begin_keyed(call: u64, site: u32, outer: &Ambient) {
    let ordinal = ordinal(outer, |entry| entry.next_ordinal(site));
    update(call, Some(1), |entry| entry.ordinal = ordinal);
}

/// The place of a call that had begun before its site was known to ask for keys. It is given in the
/// order of asking; where calls that run side by side ask in another order than they began in, later
/// attempts draw other keys, for with these they would draw each other's.
fn late_ordinal(call: u64, site: u32, outer: &Ambient) -> Option<u32> {
    let before = ordinal(outer, |entry| entry.places(site).last_to_ask)?;
    let overtook =
        before.is_some_and(|other| context::began_before(call, other).unwrap_or(is_known(other)));
    ordinal(outer, |entry| {
        let places = entry.places(site);
        places.shuffled |= overtook;
        places.last_to_ask = Some(call);
        entry.next_ordinal(site)
    })
}

fn is_known(call: u64) -> bool {
    shard(call).contains_key(&call)
}

/// Looks at the places of an attempt; `None` if it is over.
fn ordinal<T>(outer: &Ambient, look: impl FnOnce(&mut Entry) -> T) -> Option<T> {
    let call = outer.call();
    update(call, context::running_attempt(call), |entry| {
        (entry.attempt == outer.attempt).then(|| look(entry))
    })
    .flatten()
}

/// The running call's key, made on first use: derived from the enclosing call's key, the site and the
/// ordinal of that site's calls within the enclosing attempt, so that a repeat of the enclosing attempt
/// draws the same; at random where there is no enclosing call. `None` outside of an attempt.
pub(crate) fn current_key() -> Option<IdempotencyKey> {
    key_of(&calls_around())
}

/// The key of a call that may not be the innermost one here, or may run elsewhere.
pub(crate) fn key_of_call(call: u64) -> Option<IdempotencyKey> {
    let calls = calls_around();
    match calls.iter().position(|frame| frame.call() == call) {
        Some(at) => key_of(&calls[at..]),
        None => update(call, None, |entry| entry.key.clone()).flatten(),
    }
}

/// The running call and those around it, innermost first, each once.
fn calls_around() -> Vec<Ambient> {
    let mut calls = context::enclosing();
    // Scopes inside an attempt repeat its call; a root scope hides what is around it.
    calls.dedup_by_key(|frame| frame.call());
    let inside = calls.iter().position(|frame| frame.call() == 0).unwrap_or(calls.len());
    calls.truncate(inside);
    calls
}

fn key_of(calls: &[Ambient]) -> Option<IdempotencyKey> {
    let (this, around) = calls.split_first()?;
    let running = context::running_attempt(this.call());
    let (word, bit) = keyed_bit(this.site);
    KEYED[word].fetch_or(bit, Ordering::Relaxed);
    let known = update(this.call(), running, |entry| (entry.key.clone(), entry.ordinal));
    if let Some((Some(key), _)) = known {
        return Some(key);
    }
    // A carried context has its key already, unless its call has ended; what is around it here is not
    // what was around it there.
    let outer = if running.is_some() { key_of(around).zip(around.first()) } else { None };
    let derived = outer.and_then(|(outer_key, outer)| {
        let at_begin = known.and_then(|(_, ordinal)| ordinal);
        let ordinal = at_begin.or_else(|| late_ordinal(this.call(), this.site, outer))?;
        Some(IdempotencyKey::derived(&outer_key, this.site, ordinal))
    });
    let made = derived.unwrap_or_else(IdempotencyKey::random);
    // Two uses at once, from tasks that carry the context, agree on whichever came first.
    let kept = update(this.call(), running, |entry| entry.key.get_or_insert(made.clone()).clone());
    Some(kept.unwrap_or(made))
}

impl Entry {
    /// Whether it says no more than a new one would.
    fn is_forgettable(&self) -> bool {
        self.key.is_none() && self.ordinal.is_none() && self.shuffled.is_empty()
    }

    fn places(&mut self, site: u32) -> &mut Places {
        let known = self.places.iter().position(|places| places.site == site);
        let at = known.unwrap_or(self.places.len());
        if known.is_none() {
            self.places.push(Places { site, next: 0, last_to_ask: None, shuffled: false });
        }
        &mut self.places[at]
    }

    fn next_ordinal(&mut self, site: u32) -> u32 {
        // Apart from those of the attempts before.
        let first = if self.shuffled.contains(&site) { 1 << 31 } else { 0 };
        let places = self.places(site);
        let ordinal = places.next;
        places.next = ordinal.saturating_add(1);
        first | ordinal
    }
}
