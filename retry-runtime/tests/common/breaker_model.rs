//! A breaker as the model checker sees it: the very code, over its atomics.
#![allow(dead_code, unreachable_pub, reason = "what the models do not need")]

mod sync {
    pub(crate) use loom::sync::{
        Mutex, MutexGuard,
        atomic::{AtomicU64, Ordering, fence},
    };
    pub(crate) use std::sync::PoisonError;
}
#[path = "../../src/breaker/circuit.rs"]
pub(crate) mod circuit;
#[path = "../../src/breaker/probes.rs"]
mod probes;
#[path = "../../src/ring.rs"]
mod ring;
#[path = "../../src/breaker/streak.rs"]
mod streak;
#[path = "../../src/time.rs"]
mod time;
#[path = "../../src/breaker/word.rs"]
pub(crate) mod word;

use std::time::Duration;

use circuit::{Circuit, Pass, Rest, Verdict};
use loom::{
    sync::{Arc, Mutex, atomic::AtomicU64},
    thread,
};
use probes::ProbeRules;
use ring::Ring;
use streak::Streak;
use time::Moment;
use word::{Kind, Word};

/// A breaker, as far as its state goes, with a streak of two.
pub(crate) struct Breaker {
    pub(crate) circuit: Circuit,
    streak: Streak,
    ring: Ring,
    most: u32,
}

pub(crate) const OPEN_FOR: u64 = 30;
pub(crate) const LEASE: u64 = 10;

pub(crate) fn at(nanos: u64) -> Moment {
    Moment::from_nanos(nanos)
}

impl Breaker {
    pub(crate) fn new(most: u32) -> Arc<Self> {
        let word = AtomicU64::new(Word::START.bits());
        let circuit = Circuit::new(word, AtomicU64::new(0), Mutex::new(Rest::new()));
        let streak = Streak::new(AtomicU64::new(0));
        Arc::new(Self { circuit, streak, ring: Ring::new(2), most })
    }

    pub(crate) fn rules(&self) -> ProbeRules {
        ProbeRules { most: self.most, lease: Duration::from_nanos(LEASE) }
    }

    pub(crate) fn admit(&self, now: u64) -> Option<Pass> {
        let word = self.circuit.glance();
        if word.is_closed() {
            return Some(Pass::closed(word));
        }
        self.circuit.admit(at(now), self.rules()).0.ok()
    }

    /// `Permit::settle` of a call that was admitted while it was closed; whether that opened it.
    pub(crate) fn failed(&self, pass: Pass, now: u64) -> bool {
        self.circuit.word() == pass.word
            && self.streak.extend(pass.word.tag(), &self.ring, 0) >= 2
            && self.circuit.trip(pass.word, |_| at(now + OPEN_FOR)).is_some()
    }

    pub(crate) fn succeeded(&self, pass: Pass) {
        if !self.streak.is_quiet(pass.word.tag()) && self.circuit.word() == pass.word {
            self.streak.end(pass.word.tag());
        }
    }

    pub(crate) fn probed(&self, pass: Pass, healthy: bool, now: u64) -> Verdict {
        self.circuit.settle(pass, healthy, at(now), self.rules(), |_| at(now + OPEN_FOR)).0
    }

    pub(crate) fn in_a_row(&self) -> u64 {
        self.streak.recent(self.circuit.word().tag(), &self.ring, 0)
    }

    pub(crate) fn kind(&self) -> Kind {
        self.circuit.word().kind()
    }

    /// Opened at 0.
    pub(crate) fn opened(most: u32) -> Arc<Self> {
        let breaker = Self::new(most);
        assert!(breaker.circuit.trip(Word::START, |_| at(OPEN_FOR)).is_some());
        breaker
    }
}

pub(crate) fn run<T: 'static>(
    breaker: &Arc<Breaker>,
    operation: impl FnOnce(&Breaker) -> T + 'static,
) -> thread::JoinHandle<T> {
    let breaker = breaker.clone();
    thread::spawn(move || operation(&breaker))
}
