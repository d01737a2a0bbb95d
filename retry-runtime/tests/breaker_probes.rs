//! The half-open state: who gets through, and what comes of it.

#[path = "common/breakers.rs"]
mod breakers;

use std::time::Duration;

use breakers::{admit, assert_state, at, call, opened, refused, start};
use retry_runtime::__private::Seen;
use retry_runtime::{Breaker, BreakerState::*, control};

const fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn breaker() -> Breaker {
    Breaker::new("probes").consecutive(2).open_for(secs(30))
}

#[test]
fn an_open_breaker_says_how_long_it_stays_open_and_then_lets_one_probe_through() {
    let breaker = opened(breaker(), 100.0);
    assert_eq!(refused(breaker, 100.0), Some(30.0));
    assert_eq!(refused(breaker, 129.5), Some(0.5));
    assert_state(breaker, 129.9, Open);
    assert_state(breaker, 130.0, HalfOpen);
    assert_eq!(breaker.opens_in_at(at(129.0)), Some(secs(1)));
    assert_eq!(breaker.opens_in_at(at(130.0)), Some(Duration::ZERO));
    assert_eq!(breaker.refuses(at(130.0)), None);
    let probe = start(breaker, 131.0);
    assert!(probe.is_probe());
    assert_eq!(refused(breaker, 132.0), Some(29.0), "until the lease runs out at the latest");
    probe.settle(Seen::Success, || at(133.0));
    assert_state(breaker, 133.0, Closed);
    assert!(!start(breaker, 133.0).is_probe());
}

#[test]
fn a_probe_that_fails_opens_it_again_for_longer_each_time_if_so_told() {
    let breaker = opened(breaker().growth(3.0).max_open(secs(200)), 0.0);
    for (probe, left) in [(30.0, 90.0), (120.0, 200.0), (320.0, 200.0)] {
        call(breaker, probe, Seen::Failure);
        assert_eq!(refused(breaker, probe), Some(left));
    }
    call(breaker, 520.0, Seen::Success);
    call(breaker, 520.0, Seen::Failure);
    call(breaker, 520.0, Seen::Failure);
    assert_eq!(refused(breaker, 520.0), Some(30.0), "a success starts over");
    assert_eq!(breaker.stats().opened, 5);
}

// R086
#[test]
fn a_probe_that_never_ends_loses_its_place_and_its_late_result_changes_nothing() {
    for late in [Seen::Success, Seen::Failure, Seen::Timeout] {
        let breaker = opened(breaker().probe_timeout(secs(5)), 0.0);
        let hanging = start(breaker, 40.0);
        assert_eq!(refused(breaker, 41.0), Some(4.0));
        assert_eq!(refused(breaker, 44.999), Some(0.001));
        let second = start(breaker, 45.0);
        assert_eq!(refused(breaker, 45.0), Some(5.0), "one more and no other");
        let before = breaker.stats();
        hanging.settle(late, || at(46.0));
        assert_state(breaker, 46.0, HalfOpen);
        assert_eq!(refused(breaker, 46.0), Some(4.0), "the second one's place is not free");
        let after = breaker.stats();
        assert_eq!((after.late, after.failures, after.opened), (1, before.failures, before.opened));
        second.settle(Seen::Success, || at(47.0));
        assert_state(breaker, 47.0, Closed);
    }
}

#[test]
fn a_result_after_the_lease_is_late_even_if_nobody_has_taken_the_place() {
    let breaker = opened(breaker().probe_timeout(secs(5)), 0.0);
    start(breaker, 40.0).settle(Seen::Success, || at(45.0));
    assert_state(breaker, 45.0, HalfOpen);
    start(breaker, 45.0).settle(Seen::Success, || at(49.9));
    assert_state(breaker, 49.9, Closed);
}

#[test]
fn a_lease_lasts_as_long_as_the_open_time_unless_it_is_set() {
    let breaker = opened(breaker(), 0.0);
    let _hanging = start(breaker, 30.0);
    assert_eq!(refused(breaker, 59.0), Some(1.0));
    assert!(start(breaker, 60.0).is_probe());
}

// R088
#[test]
fn a_cancelled_probe_gives_its_place_back_and_counts_as_neither() {
    control::count_successes(true);
    let breaker = opened(breaker(), 0.0);
    let before = breaker.stats();
    drop(start(breaker, 30.0));
    assert_state(breaker, 30.0, HalfOpen);
    let after = breaker.stats();
    assert_eq!(after.cancelled, before.cancelled + 1);
    assert_eq!((after.successes, after.failures), (before.successes, before.failures));
    let next = start(breaker, 30.0);
    assert!(next.is_probe());
    next.settle(Seen::Success, || at(30.0));
    assert_state(breaker, 30.0, Closed);
    assert_eq!(breaker.stats().successes, before.successes + 1);
}

// R090
#[test]
fn of_a_hundred_calls_at_once_one_gets_through() {
    let breaker = opened(breaker(), 0.0);
    let all: Vec<_> = (0..100).map(|_| admit(breaker, 30.0)).collect();
    assert_eq!(all.iter().filter(|admitted| admitted.is_ok()).count(), 1);
    assert_eq!(breaker.stats().rejected, 99);
}

// R090
#[test]
fn of_many_threads_at_once_one_gets_through() {
    for _ in 0..if cfg!(miri) { 4 } else { 20 } {
        let breaker = opened(breaker().probes(3), 0.0);
        let threads: Vec<_> =
            (0..8).map(|_| std::thread::spawn(move || admit(breaker, 30.0))).collect();
        let all: Vec<_> =
            threads.into_iter().map(|thread| thread.join().expect("no panic")).collect();
        assert_eq!(all.iter().filter(|admitted| admitted.is_ok()).count(), 3);
    }
}

// R092
#[test]
fn a_probe_of_an_earlier_half_open_period_changes_nothing_in_a_later_one() {
    let breaker = opened(breaker().probes(2).probe_timeout(secs(1_000)), 0.0);
    let (hanging, failing) = (start(breaker, 30.0), start(breaker, 30.0));
    failing.settle(Seen::Failure, || at(31.0));
    assert_state(breaker, 31.0, Open);
    let (first, second) = (start(breaker, 61.0), start(breaker, 61.0));
    hanging.settle(Seen::Success, || at(62.0));
    assert_state(breaker, 62.0, HalfOpen);
    assert_eq!(refused(breaker, 62.0), Some(999.0), "and frees no place that it did not hold");
    drop(first);
    assert!(admit(breaker, 62.0).is_ok());
    second.settle(Seen::Success, || at(63.0));
    assert_state(breaker, 63.0, Closed);
}

#[test]
fn a_call_from_before_it_opened_changes_nothing_whatever_it_ends_in() {
    for late in [Seen::Success, Seen::Failure, Seen::Ignored] {
        let breaker = breakers::live(breaker());
        let early: Vec<_> = (0..5).map(|_| start(breaker, 0.0)).collect();
        call(breaker, 1.0, Seen::Failure);
        call(breaker, 1.0, Seen::Failure);
        for permit in early {
            permit.settle(late, || at(2.0));
            assert_eq!(refused(breaker, 2.0), Some(29.0));
        }
        let expected = if late == Seen::Ignored { 0 } else { 5 };
        assert_eq!((breaker.stats().failures, breaker.stats().late), (2, expected), "{late:?}");
    }
}

#[test]
fn a_call_from_before_it_closed_again_is_no_failure_of_now() {
    let breaker = breakers::live(breaker());
    let early: Vec<_> = (0..5).map(|_| start(breaker, 0.0)).collect();
    call(breaker, 1.0, Seen::Failure);
    call(breaker, 1.0, Seen::Failure);
    call(breaker, 31.0, Seen::Success);
    call(breaker, 31.5, Seen::Failure);
    for permit in early {
        permit.settle(Seen::Failure, || at(32.0));
    }
    assert_state(breaker, 32.0, Closed);
    assert_eq!(breaker.recent_at(at(32.0)).in_a_row, 1);
}

// R094
#[test]
fn a_probe_that_the_breaker_does_not_see_gives_its_place_back() {
    let breaker = opened(breaker(), 0.0);
    let before = breaker.stats();
    for _ in 0..3 {
        call(breaker, 30.0, Seen::Ignored);
        assert_state(breaker, 30.0, HalfOpen);
    }
    let after = breaker.stats();
    assert_eq!((after.ignored, after.failures), (before.ignored + 3, before.failures));
    call(breaker, 30.0, Seen::Success);
    assert_state(breaker, 30.0, Closed);
}

// R100
#[cfg_attr(miri, ignore = "two thousand calls")]
#[test]
fn rejections_are_not_failures() {
    for breaker in [breaker(), Breaker::new("rate").failure_rate(0.5).min_calls(4)] {
        let breaker = opened(breaker, 0.0);
        let before = breaker.stats();
        (0..1_000).for_each(|_| assert_eq!(refused(breaker, 1.0), Some(29.0)));
        assert_eq!(breaker.stats().rejected, 1_000);
        assert_eq!(breaker.stats().failures, before.failures);
        call(breaker, 30.0, Seen::Success);
        assert_state(breaker, 30.0, Closed);
        let recent = breaker.recent_at(at(30.0));
        assert_eq!((recent.calls, recent.failures, recent.in_a_row), (0, 0, 0));
    }
}

// R104
#[test]
fn places_that_are_given_back_are_used_again_and_never_more_than_there_are() {
    let breaker = opened(breaker().probes(3), 0.0);
    let mut under_way: Vec<_> = (0..3).map(|_| start(breaker, 30.0)).collect();
    assert!(admit(breaker, 30.0).is_err());
    under_way.truncate(1);
    under_way.extend((0..2).map(|_| start(breaker, 30.0)));
    assert!(admit(breaker, 30.0).is_err(), "five have started and three are in flight");
    assert_eq!(under_way.len(), 3);
}

#[test]
fn a_slow_probe_opens_a_breaker_again_that_measures_slowness() {
    let slow = Breaker::new("slow").slow_calls(1.0, secs(1)).consecutive(1).open_for(secs(30));
    let breaker = opened(slow, 0.0);
    start(breaker, 30.0).settle(Seen::Success, || at(32.0));
    assert_state(breaker, 32.0, Open);
    start(breaker, 62.0).settle(Seen::Success, || at(63.0));
    assert_state(breaker, 63.0, Closed);
}

#[test]
fn jitter_makes_it_stay_open_longer_by_up_to_its_share() {
    let mut waits: Vec<_> = (0..50)
        .map(|_| refused(opened(breaker().jitter(0.5), 0.0), 0.0).expect("it is open"))
        .collect();
    assert!(waits.iter().all(|wait| (30.0..=45.0).contains(wait)), "{waits:?}");
    waits.sort_by(f64::total_cmp);
    waits.dedup();
    assert!(waits.len() > 40, "they do not come back in the same instant: {waits:?}");
}
