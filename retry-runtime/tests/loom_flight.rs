//! Every interleaving of calls and retries under way:
//! `RUSTFLAGS="--cfg stormless_loom" cargo test -p retry-runtime --test loom_flight --release`
#![cfg(stormless_loom)]

mod sync {
    pub(crate) use loom::sync::atomic::{AtomicU32, AtomicU64, Ordering};
}
#[allow(dead_code, reason = "what the model does not need")]
#[path = "../src/budget/flight.rs"]
mod flight;

use flight::Flight;
use loom::sync::Arc;
use loom::thread;
use sync::{AtomicU32, AtomicU64};

/// Half of the calls, and no retry that is always free.
fn flight() -> Arc<Flight> {
    let (share, least) = (AtomicU64::new(500_000_000), AtomicU32::new(0));
    let flight = Flight::new(share, least, AtomicU64::new(0), AtomicU64::new(0));
    (0..2).for_each(|_| flight.begin());
    Arc::new(flight)
}

#[test]
fn two_that_race_for_the_last_retry_get_one() {
    loom::model(|| {
        let flight = flight();
        let other = {
            let flight = flight.clone();
            thread::spawn(move || flight.begin_retry())
        };
        let mine = flight.begin_retry();
        assert!(mine ^ other.join().unwrap());
        assert_eq!(flight.left(), 0);
    });
}

#[test]
fn what_ends_while_others_begin_is_counted_once() {
    loom::model(|| {
        let flight = flight();
        assert!(flight.begin_retry());
        let other = {
            let flight = flight.clone();
            thread::spawn(move || {
                flight.end_retry();
                flight.end();
            })
        };
        flight.begin();
        let mine = flight.begin_retry();
        other.join().unwrap();
        // Two calls are under way, and one retry if it began.
        assert_eq!((flight.most(), flight.left()), (1, u64::from(!mine)));
    });
}

#[test]
fn a_receipt_that_is_handed_in_twice_takes_no_count_below_nothing() {
    loom::model(|| {
        let flight = flight();
        assert!(flight.begin_retry());
        let other = {
            let flight = flight.clone();
            thread::spawn(move || flight.end_retry())
        };
        flight.end_retry();
        other.join().unwrap();
        assert_eq!(flight.left(), 1);
    });
}
