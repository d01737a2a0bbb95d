//! Every interleaving of a window's slots and a change of its length:
//! `RUSTFLAGS="--cfg stormless_loom" cargo test -p retry-runtime --test loom_slots --release`
#![cfg(stormless_loom)]

mod sync {
    pub(crate) use loom::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};
}
#[allow(dead_code, reason = "builders that the model does not need")]
#[path = "../src/slots.rs"]
mod slots;

use loom::sync::Arc;
use loom::thread;
use slots::SlotClock;
use sync::{AtomicU32, AtomicU64};

const SLOTS: u64 = 10;

/// Of slots of ten.
fn clock() -> Arc<SlotClock> {
    let zero = || AtomicU64::new(0);
    Arc::new(SlotClock::new(AtomicU64::new(100), AtomicU32::new(0), zero(), zero()))
}

#[test]
fn a_slot_is_of_the_one_length_or_of_the_other_or_not_known() {
    loom::model(|| {
        let clock = clock();
        let reading = {
            let clock = clock.clone();
            thread::spawn(move || clock.slot(1_000, SLOTS))
        };
        clock.change(10, SLOTS, 990, 0);
        // A length and a beginning that do not belong together would make it any other number.
        assert!([100, 99 + SLOTS + 1 + 10, 0].contains(&reading.join().unwrap()));
        assert_eq!(clock.slot(1_000, SLOTS), 99 + SLOTS + 1 + 10);
    });
}

#[test]
fn a_slot_that_is_read_while_the_length_changes_twice_is_no_later_than_the_last_one() {
    // Those interleavings with up to three preemptions; all of them take half a minute.
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(|| {
        let clock = clock();
        let reading = {
            let clock = clock.clone();
            thread::spawn(move || clock.slot(1_000, SLOTS))
        };
        clock.change(10, SLOTS, 1_000, 0);
        clock.change(1_000, SLOTS, 1_000, 0);
        let last = clock.slot(1_000, SLOTS);
        assert_eq!(last, 100 + 2 * (SLOTS + 1));
        assert!([100, 100 + SLOTS + 1, last, 0].contains(&reading.join().unwrap()));
    });
}
