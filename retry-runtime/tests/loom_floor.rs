//! Every interleaving of a floor's operations:
//! `RUSTFLAGS="--cfg stormless_loom" cargo test -p retry-runtime --test loom_floor --release`
#![cfg(stormless_loom)]

mod sync {
    pub(crate) use loom::sync::atomic::{AtomicU32, AtomicU64, Ordering};
}
#[allow(dead_code, reason = "what the model does not need")]
#[path = "../src/budget/floor.rs"]
mod floor;

use floor::Floor;
use loom::sync::Arc;
use loom::thread;
use sync::{AtomicU32, AtomicU64};

const SECOND: u64 = 1_000_000_000;

/// Two a second.
fn floor() -> Arc<Floor> {
    Arc::new(Floor::new(
        AtomicU32::new(2),
        AtomicU64::new(10 * SECOND),
        AtomicU64::new(0),
        AtomicU64::new(0),
    ))
}

#[test]
fn threads_at_once_get_no_more_than_the_rate() {
    loom::model(|| {
        let floor = floor();
        floor.note_success(0);
        let others: Vec<_> = (0..2)
            .map(|_| {
                let floor = floor.clone();
                thread::spawn(move || floor.grant(0))
            })
            .collect();
        let mine = floor.grant(0);
        let granted: u32 =
            others.into_iter().map(|other| u32::from(other.join().unwrap())).sum::<u32>();
        assert_eq!(granted + u32::from(mine), 2);
    });
}

#[test]
fn the_latest_success_counts_whoever_tells_first() {
    loom::model(|| {
        let floor = floor();
        let other = {
            let floor = floor.clone();
            thread::spawn(move || floor.note_success(20 * SECOND))
        };
        floor.note_success(SECOND);
        other.join().unwrap();
        assert!(floor.grant(25 * SECOND));
    });
}

#[test]
fn a_clock_that_lags_takes_from_the_same_rate() {
    loom::model(|| {
        let floor = floor();
        floor.note_success(5 * SECOND);
        let other = {
            let floor = floor.clone();
            thread::spawn(move || {
                u32::from(floor.grant(5 * SECOND)) + u32::from(floor.grant(5 * SECOND))
            })
        };
        let mine = u32::from(floor.grant(4 * SECOND)) + u32::from(floor.grant(4 * SECOND));
        assert!(mine + other.join().unwrap() <= 4);
        assert!(!floor.grant(4 * SECOND));
    });
}
