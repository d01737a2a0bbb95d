//! Every interleaving of what changes a breaker's state:
//! `RUSTFLAGS="--cfg stormless_loom" cargo test -p retry-runtime --test loom_breaker --release`
#![cfg(stormless_loom)]

#[path = "common/breaker_model.rs"]
mod model;

use loom::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};
use model::{
    Breaker, LEASE, OPEN_FOR, at,
    circuit::Verdict,
    run,
    word::{Kind, Word},
};

#[test]
fn a_success_comes_before_the_last_failure_or_after_it() {
    loom::model(|| {
        let breaker = Breaker::new(1);
        let (bad, good) = (breaker.admit(0).unwrap(), breaker.admit(0).unwrap());
        assert!(!breaker.failed(breaker.admit(0).unwrap(), 0));
        let failing = run(&breaker, move |breaker| breaker.failed(bad, 0));
        breaker.succeeded(good);
        if failing.join().unwrap() {
            assert_eq!(breaker.kind(), Kind::Open);
        } else {
            assert_eq!((breaker.kind(), breaker.in_a_row()), (Kind::Closed, 1));
        }
    });
}

#[test]
fn two_failures_at_once_open_it_once() {
    loom::model(|| {
        let breaker = Breaker::new(1);
        let (one, two) = (breaker.admit(0).unwrap(), breaker.admit(0).unwrap());
        let other = run(&breaker, move |breaker| breaker.failed(one, 0));
        let mine = breaker.failed(two, 0);
        assert!(mine ^ other.join().unwrap());
        assert_eq!(breaker.circuit.word(), Word::START.next(Kind::Open));
    });
}

#[test]
fn of_two_that_find_the_open_time_over_one_is_the_probe() {
    loom::model(|| {
        let breaker = Breaker::opened(1);
        let other = run(&breaker, |breaker| breaker.admit(OPEN_FOR));
        let mine = breaker.admit(OPEN_FOR);
        let other = other.join().unwrap();
        assert!(mine.is_some() ^ other.is_some());
        assert_eq!(breaker.kind(), Kind::HalfOpen);
        assert!(breaker.admit(OPEN_FOR + LEASE - 1).is_none());
        assert_eq!(breaker.probed(mine.or(other).unwrap(), true, OPEN_FOR), Verdict::Closed);
    });
}

#[test]
fn of_two_probes_the_first_decides_and_the_other_is_late() {
    loom::model(|| {
        let breaker = Breaker::opened(2);
        let (good, bad) = (breaker.admit(OPEN_FOR).unwrap(), breaker.admit(OPEN_FOR).unwrap());
        let half_open = breaker.circuit.word();
        let other = run(&breaker, move |breaker| breaker.probed(bad, false, OPEN_FOR));
        match (breaker.probed(good, true, OPEN_FOR), other.join().unwrap()) {
            (Verdict::Closed, Verdict::Late) => {
                assert_eq!(breaker.circuit.word(), half_open.next(Kind::Closed));
            }
            (Verdict::Late, Verdict::Reopened) => {
                assert_eq!(breaker.circuit.word(), half_open.next(Kind::Open));
                assert!(breaker.admit(2 * OPEN_FOR - 1).is_none());
                assert!(breaker.admit(2 * OPEN_FOR).is_some());
            }
            verdicts => panic!("{verdicts:?}"),
        }
    });
}

#[test]
fn a_stale_failure_neither_opens_it_nor_counts_in_the_next_generation() {
    loom::model(|| {
        let breaker = Breaker::new(1);
        let stale = breaker.admit(0).unwrap();
        breaker.failed(breaker.admit(0).unwrap(), 0);
        let failing = run(&breaker, move |breaker| breaker.failed(stale, 0));
        breaker.circuit.close();
        // A first failure of the new generation, while the stale one may still be counting.
        assert!(!breaker.failed(breaker.admit(0).unwrap(), 0));
        // If it opened it, that was before it was closed.
        failing.join().unwrap();
        assert_eq!((breaker.kind(), breaker.in_a_row()), (Kind::Closed, 1));
    });
}

#[test]
fn a_stale_success_does_not_end_a_streak_of_the_next_generation() {
    loom::model(|| {
        let breaker = Breaker::new(1);
        let stale = breaker.admit(0).unwrap();
        breaker.failed(breaker.admit(0).unwrap(), 0);
        let ending = run(&breaker, move |breaker| breaker.succeeded(stale));
        breaker.circuit.close();
        assert!(!breaker.failed(breaker.admit(0).unwrap(), 0));
        ending.join().unwrap();
        assert_eq!(breaker.in_a_row(), 1);
    });
}

#[test]
fn a_stale_probe_frees_no_place_of_the_next_half_open_period() {
    loom::model(|| {
        let breaker = Breaker::opened(2);
        let (stale, bad) = (breaker.admit(30).unwrap(), breaker.admit(30).unwrap());
        let giving = run(&breaker, move |breaker| {
            breaker.circuit.give_back(stale, breaker.rules());
        });
        assert_eq!(breaker.probed(bad, false, 30), Verdict::Reopened);
        assert!(breaker.admit(60).is_some() && breaker.admit(60).is_some());
        giving.join().unwrap();
        assert!(breaker.admit(60).is_none());
    });
}

#[test]
fn a_lease_that_runs_out_while_the_probe_ends_is_used_by_one_of_the_two() {
    loom::model(|| {
        let breaker = Breaker::opened(1);
        let probe = breaker.admit(OPEN_FOR).unwrap();
        let over = OPEN_FOR + LEASE;
        // To the one its time is not over, to the other it is.
        let ending = run(&breaker, move |breaker| breaker.probed(probe, true, over - 1));
        let next = breaker.admit(over);
        match ending.join().unwrap() {
            Verdict::Closed => {
                assert_eq!(breaker.kind(), Kind::Closed);
                assert!(next.is_none_or(|pass| !pass.is_probe()));
            }
            Verdict::Late => {
                assert_eq!(breaker.kind(), Kind::HalfOpen);
                assert!(breaker.admit(over).is_none(), "there is one place");
                assert_eq!(breaker.probed(next.unwrap(), true, over), Verdict::Closed);
            }
            Verdict::Reopened => panic!("nothing failed"),
        }
    });
}

#[test]
fn a_place_that_a_late_result_leaves_is_given_to_one() {
    loom::model(|| {
        let breaker = Breaker::opened(1);
        let probe = breaker.admit(OPEN_FOR).unwrap();
        let over = OPEN_FOR + LEASE;
        let ending = run(&breaker, move |breaker| breaker.probed(probe, false, over));
        let other = run(&breaker, move |breaker| breaker.admit(over).is_some());
        let mine = breaker.admit(over).is_some();
        assert_eq!(ending.join().unwrap(), Verdict::Late);
        assert!(mine ^ other.join().unwrap());
        assert_eq!(breaker.kind(), Kind::HalfOpen);
    });
}

#[test]
fn a_place_that_is_given_back_is_never_lost() {
    loom::model(|| {
        let breaker = Breaker::opened(1);
        let probe = breaker.admit(OPEN_FOR).unwrap();
        let giving = run(&breaker, move |breaker| {
            breaker.circuit.give_back(probe, breaker.rules());
        });
        let mine = breaker.admit(OPEN_FOR);
        giving.join().unwrap();
        let next = breaker.admit(OPEN_FOR);
        assert!(mine.is_some() ^ next.is_some());
    });
}

#[test]
fn who_hears_that_it_opened_again_is_refused() {
    loom::model(|| {
        let breaker = Breaker::opened(1);
        let probe = breaker.admit(OPEN_FOR).unwrap();
        let told = Arc::new(AtomicU64::new(0));
        let failing = {
            let told = told.clone();
            run(&breaker, move |breaker| {
                // Late if its place was taken just before.
                let reopened = breaker.probed(probe, false, 35) == Verdict::Reopened;
                told.store(reopened.into(), Ordering::Release);
                reopened
            })
        };
        let heard = told.load(Ordering::Acquire) == 1;
        // The lease of the probe is over by then, the new open time is not.
        let passed = breaker.admit(45);
        assert!(!heard || passed.is_none());
        assert!(failing.join().unwrap() ^ passed.is_some());
        assert!(breaker.admit(54).is_none());
    });
}

#[test]
fn an_isolation_outlasts_whatever_happens_at_the_same_time() {
    loom::model(|| {
        let breaker = Breaker::opened(1);
        let probe = breaker.admit(OPEN_FOR).unwrap();
        let ending = run(&breaker, move |breaker| breaker.probed(probe, true, OPEN_FOR));
        let opening = run(&breaker, |breaker| breaker.circuit.open(|_| at(99)));
        breaker.circuit.isolate();
        ending.join().unwrap();
        opening.join().unwrap();
        assert_eq!(breaker.kind(), Kind::Isolated);
        assert!(breaker.admit(u64::MAX - 1).is_none());
    });
}

#[test]
fn a_probe_that_is_dropped_while_it_is_closed_by_hand_leaves_it_closed() {
    loom::model(|| {
        let breaker = Breaker::opened(1);
        let probe = breaker.admit(OPEN_FOR).unwrap();
        let giving = run(&breaker, move |breaker| {
            breaker.circuit.give_back(probe, breaker.rules());
        });
        breaker.circuit.close();
        giving.join().unwrap();
        assert_eq!(breaker.kind(), Kind::Closed);
    });
}

#[test]
fn who_sees_it_open_sees_until_when() {
    loom::model(|| {
        let breaker = Breaker::new(1);
        let tripping = run(&breaker, |breaker| breaker.circuit.trip(Word::START, |_| at(OPEN_FOR)));
        let open = breaker.kind() == Kind::Open;
        let refused = breaker.circuit.refuses(at(1)).is_some();
        assert!(!open || refused);
        assert!(tripping.join().unwrap().is_some());
    });
}
