//! When a closed breaker opens.

#[path = "common/breakers.rs"]
mod breakers;

use std::time::Duration;

use breakers::{assert_state, at, call, live, refused, start};
use retry_runtime::__private::Seen;
use retry_runtime::{Breaker, BreakerState::*, control};

const DAY: f64 = 24.0 * 3600.0;

const fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// Calls until it opens, one after the other; how many there were.
#[track_caller]
fn calls_until_open(breaker: &'static Breaker, seconds: f64, script: &[Seen]) -> Option<usize> {
    script.iter().position(|seen| {
        call(breaker, seconds, *seen);
        breaker.refuses(at(seconds)).is_some()
    })
}

#[test]
fn without_a_rule_it_opens_at_the_fifth_failure_in_a_row_for_30_seconds() {
    let breaker = live(Breaker::new("default"));
    let (ok, failed) = (Seen::Success, Seen::Failure);
    let script = [failed, failed, failed, failed, ok, failed, failed, failed, failed, failed];
    assert_eq!(calls_until_open(breaker, 1.0, &script), Some(9));
    assert_eq!(refused(breaker, 1.0), Some(30.0));
}

// R171
#[test]
fn an_answer_ends_a_streak_and_what_is_not_seen_does_not() {
    control::count_successes(true);
    let breaker = live(Breaker::new("seen").consecutive(3));
    let script = [Seen::Failure, Seen::Failure, Seen::Success, Seen::Failure, Seen::Timeout];
    assert_eq!(calls_until_open(breaker, 0.0, &script), None);
    let stats = breaker.stats();
    assert_eq!((stats.failures, stats.timeouts, stats.successes), (4, 1, 1));
    assert_eq!(breaker.recent_at(at(0.0)).in_a_row, 2);
    call(breaker, 0.0, Seen::Ignored);
    drop(start(breaker, 0.0));
    call(breaker, 0.0, Seen::Failure);
    assert_state(breaker, 0.0, Open);
}

#[test]
fn three_timeouts_open_it_and_failures_between_them_count_neither_way() {
    let breaker = live(Breaker::three_timeouts("article"));
    let (failed, late, ok) = (Seen::Failure, Seen::Timeout, Seen::Success);
    let script =
        [late, late, ok, failed, failed, failed, failed, failed, failed, late, failed, late];
    assert_eq!(calls_until_open(breaker, 0.0, &script), None);
    assert_eq!(breaker.recent_at(at(0.0)).timeouts_in_a_row, 2);
    call(breaker, 0.0, late);
    assert_eq!(refused(breaker, 0.0), Some(30.0));
}

// R098
#[test]
fn old_failures_age_out_of_the_window() {
    let rate = live(Breaker::new("rate").failure_rate(0.5).window(secs(10)).min_calls(5));
    let streak = live(Breaker::new("streak").consecutive(5).window(secs(10)));
    for breaker in [rate, streak] {
        (0..4).for_each(|_| call(breaker, 1.0, Seen::Failure));
        call(breaker, DAY, Seen::Failure);
        assert_state(breaker, DAY, Closed);
    }
    let window = rate.recent_at(at(DAY));
    assert_eq!((window.calls, window.failures), (1, 1));
    assert_eq!(streak.recent_at(at(DAY)).in_a_row, 1);
    assert_eq!(streak.recent_at(at(2.0 * DAY)).in_a_row, 0);
    (0..4).for_each(|_| call(streak, DAY, Seen::Failure));
    assert_state(streak, DAY, Open);
}

#[test]
fn of_a_streak_only_what_lies_in_the_window_counts() {
    let breaker = live(Breaker::new("streak").consecutive(3).window(secs(60)));
    // The third follows 58 s after the first.
    assert_eq!([0.0, 29.0].map(|now| call(breaker, now, Seen::Failure)), [(); 2]);
    assert_state(breaker, 29.0, Closed);
    call(breaker, 58.0, Seen::Failure);
    assert_state(breaker, 58.0, Open);
    // Of any three the third follows 62 s after the first.
    let breaker = live(Breaker::new("streak").consecutive(3).window(secs(60)));
    for failure in 0..20 {
        call(breaker, f64::from(failure) * 31.0, Seen::Failure);
        assert_state(breaker, 0.0, Closed);
    }
    call(breaker, 19.0 * 31.0 + 1.0, Seen::Failure);
    assert_state(breaker, 19.0 * 31.0 + 1.0, Open);
}

// R096
#[test]
fn a_hundred_cancelled_calls_leave_no_trace() {
    let breaker = live(Breaker::new("cancelled").failure_rate(0.5));
    let in_flight: Vec<_> = (0..100).map(|_| start(breaker, 0.0)).collect();
    drop(in_flight);
    assert_state(breaker, 0.0, Closed);
    let stats = breaker.stats();
    assert_eq!((stats.cancelled, stats.failures, stats.opened), (100, 0, 0));
    assert_eq!(breaker.recent_at(at(0.0)).calls, 0);
}

// R102
#[test]
fn slow_failures_open_it_as_soon_as_their_timeouts_pass() {
    let breaker = live(Breaker::new("slow-failures").consecutive(5));
    let mut in_flight = std::collections::VecDeque::new();
    let (mut started, mut opened_at) = (0, None);
    // One call every 10 ms, each cut after 1 s.
    for step in 0..1_000_u32 {
        let now = f64::from(step) / 100.0;
        while in_flight.front().is_some_and(|(end, _)| *end <= step) {
            let (_, permit) = in_flight.pop_front().expect("there is one");
            let permit: retry_runtime::__private::Permit = permit;
            permit.settle(Seen::Timeout, || at(now));
            if opened_at.is_none() && breaker.refuses(at(now)).is_some() {
                opened_at = Some(step);
            }
        }
        if let Ok(permit) = breakers::admit(breaker, now) {
            started += 1;
            in_flight.push_back((step + 100, permit));
        }
    }
    assert_eq!(opened_at, Some(104), "at 1.04 s");
    assert!((100..=105).contains(&started), "{started} started");
}

#[test]
fn a_rate_opens_it_at_the_failure_that_reaches_it_once_there_are_enough_calls() {
    let rate = || live(Breaker::new("rate").failure_rate(0.5).min_calls(10));
    let (ok, failed) = (Seen::Success, Seen::Failure);
    let few = rate();
    assert_eq!(calls_until_open(few, 0.0, &[failed; 9]), None);
    call(few, 0.0, failed);
    assert_state(few, 0.0, Open);

    let half = rate();
    assert_eq!(calls_until_open(half, 0.0, &[ok; 100]), None);
    assert_eq!(calls_until_open(half, 0.0, &[failed; 200]), Some(99));

    let success_completes = rate();
    assert_eq!(calls_until_open(success_completes, 0.0, &[failed; 9]), None);
    call(success_completes, 0.0, ok);
    assert_state(success_completes, 0.0, Closed);
    call(success_completes, 0.0, failed);
    assert_state(success_completes, 0.0, Open);
}

#[test]
fn a_rate_below_the_limit_never_opens_it_and_streaks_do_not_matter_to_it() {
    let breaker = live(Breaker::new("rate").failure_rate(0.5).window(secs(60)));
    for minute in 0..if cfg!(miri) { 2 } else { 50 } {
        let now = f64::from(minute) * 60.0;
        (0..60).for_each(|_| call(breaker, now, Seen::Success));
        (0..40).for_each(|_| call(breaker, now + 1.0, Seen::Failure));
    }
    assert_eq!(breaker.stats().opened, 0);
}

#[test]
fn slow_calls_open_it_whatever_they_end_in() {
    let breaker = live(Breaker::new("slow").slow_calls(0.5, secs(2)).min_calls(4));
    for (took, seen) in [(2.0, Seen::Success), (1.0, Seen::Failure), (2.1, Seen::Success)] {
        start(breaker, 0.0).settle(seen, || at(took));
    }
    assert_state(breaker, 3.0, Closed);
    start(breaker, 0.0).settle(Seen::Timeout, || at(9.0));
    assert_state(breaker, 9.0, Open);
    assert_eq!(breaker.stats().slow, 2);
}

#[test]
fn rules_that_are_combined_each_open_it_and_the_first_one_replaces_the_default() {
    let both = || live(Breaker::new("both").consecutive(30).failure_rate(0.9).min_calls(20));
    assert_eq!(calls_until_open(both(), 0.0, &[Seen::Failure; 40]), Some(19), "the rate");
    let streak = both();
    assert_eq!(calls_until_open(streak, 0.0, &[Seen::Success; 300]), None);
    assert_eq!(calls_until_open(streak, 0.0, &[Seen::Failure; 40]), Some(29), "the streak");
    let rate = live(Breaker::new("only-rate").failure_rate(0.9));
    assert_eq!(calls_until_open(rate, 0.0, &[Seen::Failure; 40]), Some(19), "no five in a row");
}

#[test]
fn a_window_starts_empty_when_it_closes_again() {
    let breaker = live(Breaker::new("rate").failure_rate(0.5).min_calls(4).window(secs(3_600)));
    assert_eq!(calls_until_open(breaker, 0.0, &[Seen::Failure; 9]), Some(3));
    call(breaker, 30.0, Seen::Success);
    assert_eq!(breaker.recent_at(at(30.0)).calls, 0);
    assert_eq!(calls_until_open(breaker, 30.0, &[Seen::Failure; 3]), None);
    call(breaker, 30.0, Seen::Failure);
    assert_state(breaker, 30.0, Open);
}

#[test]
fn a_success_while_all_is_well_reads_no_clock() {
    let breaker = live(Breaker::new("quiet").consecutive(2).consecutive_timeouts(2));
    let no_clock = || unreachable!("the clock is read");
    for seen in [Seen::Success, Seen::Ignored] {
        breaker.admit(no_clock).expect("it is closed").settle(seen, no_clock);
    }
    call(breaker, 0.0, Seen::Failure);
    breaker.admit(no_clock).expect("it is closed").settle(Seen::Success, || at(0.0));
    breaker.admit(no_clock).expect("it is closed").settle(Seen::Success, no_clock);
}

#[test]
fn failures_of_many_threads_are_all_counted() {
    let threads = 8;
    let each = if cfg!(miri) { 20 } else { 5_000 };
    let breaker = live(Breaker::new("threads").consecutive(threads * each));
    let running: Vec<_> = (0..threads)
        .map(|thread| {
            let calls = if thread == 0 { each - 1 } else { each };
            std::thread::spawn(move || (0..calls).for_each(|_| call(breaker, 0.0, Seen::Failure)))
        })
        .collect();
    for thread in running {
        thread.join().expect("no panic");
    }
    assert_state(breaker, 0.0, Closed);
    call(breaker, 0.0, Seen::Failure);
    assert_state(breaker, 0.0, Open);
}
