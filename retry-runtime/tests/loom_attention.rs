//! Every interleaving of calls that enter the side table and leave it:
//! `RUSTFLAGS="--cfg stormless_loom" cargo test -p retry-runtime --test loom_attention --release`
#![cfg(stormless_loom)]

mod sync {
    pub(crate) use loom::sync::atomic::{AtomicU32, Ordering};
}
#[allow(dead_code, reason = "what the model does not need")]
#[path = "../src/side/attention.rs"]
mod attention;

use attention::Attention;
use loom::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, AtomicU32, Ordering},
};
use loom::thread;

/// Two parts of the table, with the calls that have entries; the words are one for both.
struct Side {
    parts: [Mutex<Vec<u64>>; 2],
    attention: Attention,
}

impl Side {
    fn new() -> Arc<Self> {
        let attention = Attention::new(AtomicU32::new(0), AtomicU32::new(0));
        let parts = [Mutex::new(Vec::new()), Mutex::new(Vec::new())];
        Arc::new(Self { parts, attention })
    }

    fn part(&self, call: u64) -> &Mutex<Vec<u64>> {
        if call % 2 == 0 { &self.parts[0] } else { &self.parts[1] }
    }

    /// `update`, for a call that is running and has no entry.
    fn enter(&self, call: u64) {
        let mut calls = self.part(call).lock().unwrap();
        calls.push(call);
        self.attention.enter();
    }

    /// The end of a call, as a success comes to it: whether it looked into the table.
    fn end(&self, call: u64) -> bool {
        if !self.attention.is_wanted() || !self.attention.is_populated() {
            return false;
        }
        let mut calls = self.part(call).lock().unwrap();
        if let Some(at) = calls.iter().position(|known| *known == call) {
            calls.swap_remove(at);
            self.attention.leave();
        }
        true
    }

    fn is_empty(&self) -> bool {
        let is_empty = |part: &Mutex<Vec<u64>>| part.lock().unwrap().is_empty();
        self.parts.iter().all(is_empty) && !self.attention.is_populated()
    }
}

#[test]
fn every_call_takes_its_own_entry_away_whoever_comes_and_goes() {
    loom::model(|| {
        let side = Side::new();
        let other = {
            let side = side.clone();
            thread::spawn(move || {
                side.enter(1);
                assert!(side.end(1));
            })
        };
        side.enter(2);
        assert!(side.end(2));
        other.join().unwrap();
        assert!(side.is_empty());
        assert!(!side.attention.is_wanted());
    });
}

#[test]
fn an_entry_is_found_where_the_call_goes_on() {
    loom::model(|| {
        let side = Side::new();
        let moved = Arc::new(AtomicBool::new(false));
        let first = {
            let (side, moved) = (side.clone(), moved.clone());
            thread::spawn(move || {
                side.enter(1);
                // As a runtime hands a task to another thread.
                moved.store(true, Ordering::Release);
                side.enter(3);
                assert!(side.end(3));
            })
        };
        if moved.load(Ordering::Acquire) {
            assert!(side.end(1));
        }
        first.join().unwrap();
        side.end(1);
        assert!(side.is_empty());
    });
}

#[test]
fn counting_and_listening_disturb_no_entry() {
    loom::model(|| {
        let side = Side::new();
        let other = {
            let side = side.clone();
            thread::spawn(move || {
                side.attention.set_counting(true);
                side.attention.listen();
                side.attention.stop_listening();
            })
        };
        side.enter(1);
        assert!(side.end(1));
        other.join().unwrap();
        assert!(side.is_empty());
        assert!(side.attention.is_counting());
        side.attention.set_counting(false);
        assert!(!side.attention.is_wanted());
    });
}
