//! The states of a breaker and the ways between them.
//!
//! Whoever finds it closed reads one word and is through. Whoever finds it open or half-open reads one
//! more, the moment from which somebody is let through, so that refusals take no lock either. All changes
//! are made under the lock, which is held for a few instructions and never while a call runs.
//!
//! This file names its atomics through `super::sync`, so that the model checker can compile the very same
//! code over its own.

use super::Moment;
use super::probes::{ProbeRules, Probes};
use super::sync::{AtomicU64, Mutex, MutexGuard, Ordering, PoisonError};
use super::word::{Kind, Word};

/// What changes about a breaker's state.
#[derive(Debug)]
pub(crate) struct Circuit {
    word: AtomicU64,
    /// While open or half-open: nobody is let through before. Stored before the word that it belongs to.
    until: AtomicU64,
    rest: Mutex<Rest>,
}

#[derive(Debug)]
pub(crate) struct Rest {
    probes: Probes,
    /// How often it opened again out of half-open since it was closed.
    reopened: u32,
}

impl Rest {
    pub(crate) const fn new() -> Self {
        Self { probes: Probes::new(), reopened: 0 }
    }
}

/// How a call got through: under which word, and as which probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pass {
    pub(crate) word: Word,
    /// Of a probe only.
    ticket: u64,
}

impl Pass {
    #[inline]
    pub(crate) const fn closed(word: Word) -> Self {
        Self { word, ticket: 0 }
    }

    /// Whether it is a probe's.
    #[inline]
    pub(crate) const fn is_probe(self) -> bool {
        !self.word.is_closed()
    }
}

/// From which state to which; they differ.
///
/// Whatever changes the state hands one of these out, and only one does for each change, because
/// changes are made under a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) from: Kind,
    pub(crate) to: Kind,
}

/// Whether a call gets through, and what that has changed.
type Admission = (Result<Pass, Refused>, Option<Change>);

/// Why a call did not get through: until when at the latest, if it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Refused(pub(crate) Option<Moment>);

/// What came of a probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Nothing: its lease had run out, or others had decided already.
    Late,
    Closed,
    Reopened,
}

impl Circuit {
    /// Closed, around new atomics.
    pub(crate) const fn new(word: AtomicU64, until: AtomicU64, rest: Mutex<Rest>) -> Self {
        Self { word, until, rest }
    }

    /// The state, for who only wants to know whether it is closed.
    #[inline]
    pub(crate) fn glance(&self) -> Word {
        Word::from_bits(self.word.load(Ordering::Relaxed))
    }

    /// The state, with `until` as of then or later.
    pub(crate) fn word(&self) -> Word {
        Word::from_bits(self.word.load(Ordering::Acquire))
    }

    /// Whether a call would be refused, without a lock.
    pub(crate) fn refuses(&self, now: Moment) -> Option<Refused> {
        match self.word().kind() {
            Kind::Closed => None,
            Kind::Isolated => Some(Refused(None)),
            // It may be that of a later state, which is then the one to go by.
            Kind::Open | Kind::HalfOpen => self.refused_until(now),
        }
    }

    fn refused_until(&self, now: Moment) -> Option<Refused> {
        let until = self.until();
        (now < until).then_some(Refused(Some(until)))
    }

    pub(crate) fn until(&self) -> Moment {
        Moment::from_nanos(self.until.load(Ordering::Relaxed))
    }

    /// Lets a call through, or not.
    pub(crate) fn admit(&self, now: Moment, rules: ProbeRules) -> Admission {
        if let Some(refused) = self.refuses(now) {
            return (Err(refused), None);
        }
        let mut rest = self.lock();
        let word = self.glance();
        match word.kind() {
            Kind::Closed => (Ok(Pass::closed(word)), None),
            Kind::Isolated => (Err(Refused(None)), None),
            Kind::Open => {
                // Somebody may have opened it again meanwhile.
                if let Some(refused) = self.refused_until(now) {
                    return (Err(refused), None);
                }
                rest.probes.clear();
                self.probe(&mut rest, word.next(Kind::HalfOpen), now, rules)
            }
            Kind::HalfOpen => self.probe(&mut rest, word, now, rules),
        }
    }

    fn probe(&self, rest: &mut Rest, word: Word, now: Moment, rules: ProbeRules) -> Admission {
        let granted = rest.probes.grant(now, rules);
        let free_at = rest.probes.free_at(rules);
        let change = self.change(word, free_at);
        (granted.map(|ticket| Pass { word, ticket }).ok_or(Refused(Some(free_at))), change)
    }

    /// Opens it, if it is closed and nothing has happened since `seen`.
    pub(crate) fn trip(&self, seen: Word, until: impl FnOnce(u32) -> Moment) -> Option<Change> {
        let rest = self.lock();
        if self.glance() != seen {
            return None;
        }
        self.change(seen.next(Kind::Open), until(rest.reopened))
    }

    /// What a probe found. The first that is still in time decides for all.
    pub(crate) fn settle(
        &self,
        pass: Pass,
        healthy: bool,
        now: Moment,
        rules: ProbeRules,
        until: impl FnOnce(u32) -> Moment,
    ) -> (Verdict, Option<Change>) {
        let mut rest = self.lock();
        if self.glance() != pass.word {
            return (Verdict::Late, None);
        }
        let lease = rest.probes.take(pass.ticket);
        if lease.is_none_or(|lease| lease <= now) {
            return (Verdict::Late, self.change(pass.word, rest.probes.free_at(rules)));
        }
        rest.probes.clear();
        if healthy {
            rest.reopened = 0;
            let closed = self.change(pass.word.next(Kind::Closed), Moment::from_nanos(0));
            (Verdict::Closed, closed)
        } else {
            rest.reopened = rest.reopened.saturating_add(1);
            let opened = self.change(pass.word.next(Kind::Open), until(rest.reopened));
            (Verdict::Reopened, opened)
        }
    }

    /// A probe has nothing to say: somebody else may have its place.
    pub(crate) fn give_back(&self, pass: Pass, rules: ProbeRules) {
        let mut rest = self.lock();
        if self.glance() == pass.word && rest.probes.take(pass.ticket).is_some() {
            let _it_stays_half_open = self.change(pass.word, rest.probes.free_at(rules));
        }
    }

    /// Opens it by hand, whatever it was; not out of isolation, which lasts. Whether it did, and what that
    /// changed.
    pub(crate) fn open(&self, until: impl FnOnce(u32) -> Moment) -> (bool, Option<Change>) {
        let rest = self.lock();
        let word = self.glance();
        if word.kind() == Kind::Isolated {
            return (false, None);
        }
        (true, self.change(word.next(Kind::Open), until(rest.reopened)))
    }

    /// Closes it by hand, whatever it was. Results of before are stale from here on.
    pub(crate) fn close(&self) -> Option<Change> {
        let mut rest = self.lock();
        rest.reopened = 0;
        self.change(self.glance().next(Kind::Closed), Moment::from_nanos(0))
    }

    /// Refuses all calls until it is closed by hand.
    pub(crate) fn isolate(&self) -> Option<Change> {
        // Nobody changes anything without the lock.
        let _rest = self.lock();
        self.change(self.glance().next(Kind::Isolated), Moment::NEVER)
    }

    /// Only under the lock. Whoever gets the change is the only one.
    #[must_use = "somebody may want to know"]
    fn change(&self, word: Word, until: Moment) -> Option<Change> {
        let (from, to) = (self.glance().kind(), word.kind());
        self.until.store(until.as_nanos(), Ordering::Relaxed);
        self.word.store(word.bits(), Ordering::Release);
        (from != to).then_some(Change { from, to })
    }

    fn lock(&self) -> MutexGuard<'_, Rest> {
        // Nothing panics while it holds the lock; if something did, what it guards is still whole.
        self.rest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
