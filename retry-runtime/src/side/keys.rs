//! The idempotency keys of calls in progress.

use std::sync::atomic::{AtomicU64, Ordering};

use super::{
    entry::{Entry, InAttempt},
    shard, update,
};
use crate::{
    IdempotencyKey,
    context::{self, Ambient},
};

/// What is known about the key of one call, whatever the attempt, and about the calls inside it.
#[derive(Debug)]
pub(super) struct Keys {
    key: Option<IdempotencyKey>,
    /// The call's own place among the calls of its site in the enclosing attempt, if it was given one
    /// when it began.
    ordinal: Option<u32>,
    /// Sites whose calls of an earlier attempt got their places in another order than they began in.
    shuffled: Vec<u32>,
}

/// The places that one attempt has given to the calls of each site.
#[derive(Debug)]
pub(super) struct Ordinals(Vec<Places>);

/// The places of one site's calls in an attempt.
#[derive(Debug)]
struct Places {
    site: u32,
    next: u32,
    /// The last call that got its place only when it asked for its key.
    last_to_ask: Option<u64>,
    shuffled: bool,
}

impl Keys {
    pub(super) const fn new() -> Self {
        Self { key: None, ordinal: None, shuffled: Vec::new() }
    }

    /// The next attempt gives places anew, so that it draws the same keys.
    pub(super) fn end_attempt(&mut self, ended: Ordinals) {
        for places in ended.0 {
            if places.shuffled && !self.shuffled.contains(&places.site) {
                self.shuffled.push(places.site);
            }
        }
    }

    /// Whether the next attempt needs none of it.
    pub(super) fn are_forgettable(&self) -> bool {
        self.key.is_none() && self.ordinal.is_none() && self.shuffled.is_empty()
    }
}

impl Ordinals {
    pub(super) const fn new() -> Self {
        Self(Vec::new())
    }

    fn is_shuffled(&self, site: u32) -> bool {
        self.0.iter().any(|places| places.site == site && places.shuffled)
    }

    fn of(&mut self, site: u32) -> &mut Places {
        let known = self.0.iter().position(|places| places.site == site);
        let at = known.unwrap_or(self.0.len());
        if known.is_none() {
            self.0.push(Places { site, next: 0, last_to_ask: None, shuffled: false });
        }
        &mut self.0[at]
    }
}

/// The next place among the calls of a site in an attempt; `None` if the attempt is over.
fn next_ordinal(entry: &mut Entry, attempt: u32, site: u32) -> Option<u32> {
    let elsewhere = |other: &InAttempt| other.number != attempt && other.ordinals.is_shuffled(site);
    let shuffled = entry.keys.shuffled.contains(&site) || entry.attempts().any(elsewhere);
    let places = entry.at(attempt)?.ordinals.of(site);
    let ordinal = places.next;
    places.next = ordinal.saturating_add(1);
    // Apart from those of the attempts before.
    Some(if shuffled { 1 << 31 | ordinal } else { ordinal })
}

/// Sets the key of a call that is beginning, from the user's data.
pub(crate) fn set_key(call: u64, key: IdempotencyKey) {
    update(call, Some(1), |entry| entry.keys.key = Some(key));
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
    let ordinal = in_attempt(outer, |entry| next_ordinal(entry, outer.attempt(), site));
    update(call, Some(1), |entry| entry.keys.ordinal = ordinal);
}

/// The place of a call that had begun before its site was known to ask for keys. It is given in the
/// order of asking; where calls that run side by side ask in another order than they began in, later
/// attempts draw other keys, for with these they would draw each other's.
fn late_ordinal(call: u64, site: u32, outer: &Ambient) -> Option<u32> {
    let places = |entry: &mut Entry| Some(entry.at(outer.attempt())?.ordinals.of(site).last_to_ask);
    let before = in_attempt(outer, places)?;
    let overtook =
        before.is_some_and(|other| context::began_before(call, other).unwrap_or(is_known(other)));
    in_attempt(outer, |entry| {
        let places = entry.at(outer.attempt())?.ordinals.of(site);
        places.shuffled |= overtook;
        places.last_to_ask = Some(call);
        next_ordinal(entry, outer.attempt(), site)
    })
}

fn is_known(call: u64) -> bool {
    shard(call).contains_key(&call)
}

/// Looks at what is known about an attempt; `None` if it is over.
fn in_attempt<T>(outer: &Ambient, look: impl FnOnce(&mut Entry) -> Option<T>) -> Option<T> {
    let call = outer.call();
    update(call, context::running_attempt(call), look).flatten()
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
        None => update(call, None, |entry| entry.keys.key.clone()).flatten(),
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
    let known = update(this.call(), running, |entry| (entry.keys.key.clone(), entry.keys.ordinal));
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
    let kept =
        update(this.call(), running, |entry| entry.keys.key.get_or_insert(made.clone()).clone());
    Some(kept.unwrap_or(made))
}
