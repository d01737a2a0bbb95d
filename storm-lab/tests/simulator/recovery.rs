//! Sums of buckets, and when a service is well again.

use std::time::Duration;

use storm_lab::{
    outcome::{Recovery, Series, peak, recovery},
    scenario::Window,
};

use crate::ms;

fn window(from: u64, to: u64) -> Window {
    Window { from: ms(from), to: ms(to) }
}

#[test]
fn a_moment_lies_in_the_step_that_it_begins() {
    let mut series = Vec::new();
    for at in [
        Duration::ZERO,
        Duration::from_nanos(9_999_999),
        ms(10),
        ms(29),
        Duration::new(1, 19_999_999),
    ] {
        Series::add(&mut series, at);
    }
    assert_eq!(series[..3], [2, 1, 1]);
    assert_eq!((series.len(), series[101]), (102, 1));
}

#[test]
fn buckets_begin_with_the_window_and_the_last_is_cut_by_its_end() {
    let series: Vec<u32> = (1..=10).collect();
    let sums = |from, to, width| Series::buckets(&series, window(from, to), ms(width));
    assert_eq!(sums(0, 100, 50), [15, 40]);
    assert_eq!(sums(10, 80, 30), [2 + 3 + 4, 5 + 6 + 7, 8]);
    assert_eq!(sums(90, 200, 50), [10, 0, 0], "what is not there is zero");
    assert_eq!(sums(30, 30, 10), [0_u64; 0]);
    assert_eq!(sums(50, 30, 10), [0_u64; 0]);
    assert_eq!(sums(0, 30, 10), [1, 2, 3]);
    assert_eq!(sums(0, 30, 0), [1, 2, 3], "no narrower than a step");
    assert_eq!(Series::buckets(&[u32::MAX; 2], window(0, 20), ms(20)), [2 * u64::from(u32::MAX)]);
    assert_eq!(peak(&series, window(10, 80), ms(30)), 18.0);
    assert_eq!(peak(&[], window(10, 80), ms(30)), 0.0);
}

/// A hundred calls a second, of which so many succeed; `before` for ten seconds before the trigger of one second.
fn recovered(before: u32, after: &[u32]) -> Recovery {
    let mut series = Series::default();
    let seconds = std::iter::repeat_n(before, 10).chain([0]).chain(after.iter().copied());
    for (second, succeeded) in seconds.enumerate() {
        let at = Duration::from_secs(second as u64);
        for call in 0..100 {
            let at = at + ms(call * 10);
            Series::add(&mut series.calls, at);
            if call < u64::from(succeeded) {
                Series::add(&mut series.succeeded, at);
            }
        }
    }
    let end = Duration::from_secs(11 + after.len() as u64);
    recovery(&series, Some(window(10_000, 11_000)), Duration::ZERO, end)
}

const fn after(seconds: u64) -> Recovery {
    Recovery::After(Duration::from_secs(seconds))
}

#[test]
fn five_seconds_in_a_row_must_be_well() {
    assert_eq!(recovered(100, &[100; 5]), after(0));
    assert_eq!(recovered(100, &[100; 4]), Recovery::Never, "there are but four");
    assert_eq!(recovered(100, &[100, 100, 100, 100, 0, 100, 100, 100, 100, 100]), after(5));
    assert_eq!(recovered(100, &[0, 0, 0, 100, 100, 100, 100, 100, 0]), after(3));
    assert_eq!(recovered(100, &[100, 0].repeat(20)), Recovery::Never);
}

#[test]
fn each_must_have_93_percent_and_all_together_97() {
    assert_eq!(recovered(100, &[93, 98, 98, 98, 98]), after(0), "485 of 500");
    assert_eq!(recovered(100, &[92, 100, 100, 100, 100, 100]), after(1));
    assert_eq!(recovered(100, &[93, 98, 98, 98, 97, 99]), after(1), "484, and then 490");
    assert_eq!(recovered(100, &[96; 50]), Recovery::Never);
    // Of what it was before: 80, so 74.4 and 77.6.
    assert_eq!(recovered(80, &[75, 78, 78, 78, 79]), after(0));
    assert_eq!(recovered(80, &[74, 80, 80, 80, 80, 80]), after(1));
}

#[test]
fn what_had_no_trigger_or_no_calls_before_it_cannot_recover() {
    let mut series = Series::default();
    let end = Duration::from_secs(20);
    assert_eq!(recovery(&series, None, Duration::ZERO, end), Recovery::NoTrigger);
    assert_eq!(
        recovery(&series, Some(window(5_000, 6_000)), Duration::ZERO, end),
        Recovery::NoTrigger
    );
    Series::add(&mut series.calls, ms(1_000));
    Series::add(&mut series.succeeded, ms(1_000));
    // Seconds without calls are well; one with a failure is not.
    assert_eq!(recovery(&series, Some(window(5_000, 6_000)), Duration::ZERO, end), after(0));
    Series::add(&mut series.calls, ms(7_500));
    assert_eq!(recovery(&series, Some(window(5_000, 6_000)), Duration::ZERO, end), after(2));
    // What came before the warm-up is over is not looked at.
    assert_eq!(recovery(&series, Some(window(5_000, 6_000)), ms(2_000), end), Recovery::NoTrigger);
}
