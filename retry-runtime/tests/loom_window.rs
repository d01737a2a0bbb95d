//! Every interleaving of the sliding window's operations, in a window of two slots:
//! `RUSTFLAGS="--cfg stormless_loom" cargo test -p retry-runtime --test loom_window --release`
#![cfg(stormless_loom)]

mod sync {
    pub(crate) use loom::sync::atomic::{AtomicU64, Ordering, fence};
}
#[allow(dead_code, reason = "what the model does not need")]
#[path = "../src/ring.rs"]
mod ring;

use loom::sync::Arc;
use loom::thread;
use ring::{Ring, Totals};

/// Half of the attempts may be retries.
fn half(window: Totals) -> bool {
    2 * window.marked <= window.samples
}

fn at_most_one(window: Totals) -> bool {
    window.marked <= 1
}

fn ring() -> Arc<Ring> {
    Arc::new(Ring::new(2))
}

#[test]
fn two_that_race_for_the_last_retry_get_at_most_one() {
    loom::model(|| {
        let ring = ring();
        ring.record(0);
        ring.record(0);
        let other = {
            let ring = ring.clone();
            thread::spawn(move || ring.reserve(0, 1, half).is_some())
        };
        let mine = ring.reserve(0, 1, half).is_some();
        let both = u64::from(mine) + u64::from(other.join().unwrap());
        assert!(both <= 1);
        assert_eq!(ring.totals(0), Totals { samples: 2, marked: both });
    });
}

#[test]
fn two_whose_clocks_are_a_slot_apart_get_at_most_one() {
    loom::model(|| {
        let ring = ring();
        ring.record(4);
        let ahead = {
            let ring = ring.clone();
            thread::spawn(move || ring.reserve(5, 1, at_most_one).is_some())
        };
        let behind = ring.reserve(4, 1, at_most_one).is_some();
        let both = u64::from(behind) + u64::from(ahead.join().unwrap());
        assert!(both <= 1);
        // Slots 4 and 5 are one window: nothing is left behind by the one that was refused.
        assert_eq!(ring.totals(5), Totals { samples: 1, marked: both });
    });
}

#[test]
fn a_slot_that_is_taken_over_does_not_hide_its_retries() {
    loom::model(|| {
        let ring = ring();
        // Slots 4 and 5 are full; slot 6 takes the word of slot 4.
        assert!(ring.reserve(4, 1, at_most_one).is_some());
        let ahead = {
            let ring = ring.clone();
            thread::spawn(move || ring.reserve(6, 1, at_most_one))
        };
        let behind = ring.reserve(5, 1, at_most_one);
        let ahead = ahead.join().unwrap();
        // The one behind is granted only if it counts in slot 6 by then, and then alone.
        assert!(behind.is_none_or(|slot| slot == 6));
        assert!(behind.is_none() || ahead.is_none());
        let granted = u64::from(behind.is_some()) + u64::from(ahead.is_some());
        assert_eq!(ring.totals(6), Totals { samples: 0, marked: granted });
    });
}

#[test]
fn attempts_are_counted_whoever_opens_the_slot() {
    loom::model(|| {
        let ring = ring();
        ring.record(3);
        let other = {
            let ring = ring.clone();
            thread::spawn(move || ring.record(5))
        };
        ring.record(5);
        other.join().unwrap();
        assert_eq!(ring.totals(5), Totals { samples: 2, marked: 0 });
    });
}

#[test]
fn a_caller_that_lags_does_not_wipe_out_a_later_slot() {
    loom::model(|| {
        let ring = ring();
        let ahead = {
            let ring = ring.clone();
            thread::spawn(move || ring.record(6))
        };
        // Slot 4 lives in the word of slot 6.
        ring.record(4);
        ahead.join().unwrap();
        assert!((1..=2).contains(&ring.totals(6).samples));
    });
}

#[test]
fn a_window_that_is_taken_apart_while_it_is_added_up_grants_nothing() {
    // Three threads have too many interleavings for all of them: those with up to three preemptions.
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(|| {
        let ring = ring();
        let spawn = |slot| {
            let ring = ring.clone();
            thread::spawn(move || ring.reserve(slot, 1, at_most_one))
        };
        let (first, second) = (spawn(4), spawn(5));
        // Takes the word of slot 4 over, whose retry the second one may be about to read.
        ring.record(6);
        let granted = (first.join().unwrap(), second.join().unwrap());
        if let (Some(first), Some(second)) = granted {
            assert!(first.abs_diff(second) >= 2, "slots {first} and {second} share a window");
        }
    });
}

#[test]
fn a_return_takes_out_its_own_retry_and_nothing_else() {
    loom::model(|| {
        let ring = ring();
        let slot = ring.reserve(4, 1, at_most_one).expect("an empty window");
        let other = {
            let ring = ring.clone();
            thread::spawn(move || ring.reserve(6, 1, at_most_one))
        };
        // Slot 6 lives in the word of slot 4.
        ring.release(slot, 1);
        let retries = u64::from(other.join().unwrap().is_some());
        assert_eq!(retries, 1, "slot 4 is not in its window");
        assert_eq!(ring.totals(6), Totals { samples: 0, marked: retries });
    });
}
