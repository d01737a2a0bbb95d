//! Every interleaving of attempts that are counted while the halves of the latency sketch take turns:
//! `RUSTFLAGS="--cfg stormless_loom" cargo test -p retry-runtime --test loom_latency --release`
#![cfg(stormless_loom)]

mod sync {
    pub(crate) use loom::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering, fence};
}
#[path = "../src/latency/halves.rs"]
mod halves;

use halves::{Half, Halves};
use loom::sync::Arc;
use loom::thread;
use sync::{AtomicBool, AtomicU32, AtomicU64};

const SECOND: u64 = 1_000_000_000;

/// Two counters, and halves that hand over after two counts.
type Sketch = Halves<2, 2>;

fn sketch() -> Arc<Sketch> {
    let half = || Half {
        began: AtomicU64::new(0),
        recorded: AtomicU32::new(0),
        counters: [AtomicU32::new(0), AtomicU32::new(0)],
    };
    Arc::new(Halves::around([half(), half()], AtomicU32::new(0), AtomicBool::new(false)))
}

fn counting(sketch: &Arc<Sketch>, counter: usize, now: u64) -> thread::JoinHandle<()> {
    let sketch = sketch.clone();
    thread::spawn(move || sketch.count(counter, now))
}

#[test]
fn nothing_that_is_counted_during_one_turn_over_is_lost() {
    loom::model(|| {
        let sketch = sketch();
        sketch.count(0, 0);
        // Both find that the turn is over, and one of them makes the step.
        let others = [counting(&sketch, 1, 31 * SECOND), counting(&sketch, 1, 31 * SECOND)];
        for other in others {
            other.join().unwrap();
        }
        assert_eq!(sketch.counts(31 * SECOND), [1, 2]);
    });
}

#[test]
fn a_full_half_hands_over_once() {
    loom::model(|| {
        let sketch = sketch();
        sketch.count(0, 0);
        sketch.count(0, 0);
        let other = counting(&sketch, 1, 0);
        sketch.count(1, 0);
        other.join().unwrap();
        // Had it handed over twice, the first two were gone.
        assert_eq!(sketch.counts(0), [2, 2]);
    });
}

#[test]
fn a_reader_sees_neither_more_than_was_counted_nor_what_is_too_old() {
    loom::model(|| {
        let sketch = sketch();
        sketch.count(0, 0);
        sketch.count(1, 31 * SECOND);
        // The first half is emptied while it is read, and what it held is too old by then.
        let other = counting(&sketch, 1, 61 * SECOND);
        let [old, new] = sketch.counts(61 * SECOND);
        assert_eq!(old, 0);
        assert!((1..=2).contains(&new), "{new}");
        other.join().unwrap();
        assert_eq!(sketch.counts(61 * SECOND), [0, 2]);
    });
}

#[test]
fn a_thread_that_stands_still_through_two_turns_loses_no_more_than_its_own_count() {
    loom::model(|| {
        let sketch = sketch();
        sketch.count(0, 0);
        let slow = counting(&sketch, 0, 0);
        sketch.count(1, 31 * SECOND);
        sketch.count(1, 61 * SECOND);
        slow.join().unwrap();
        let [slow, fresh] = sketch.counts(61 * SECOND);
        assert!(slow <= 1, "{slow}");
        assert!((1..=2).contains(&fresh), "{fresh}");
    });
}
