//! A breaker's memory, whatever passes through it.

#[path = "../../tests/support/allocations.rs"]
mod allocations;
#[path = "common/breakers.rs"]
mod breakers;

use std::time::Duration;

use allocations::{allocations, in_use};
use breakers::{at, live, start};
use retry_runtime::__private::Seen;
use retry_runtime::Breaker;

// R151
#[cfg_attr(miri, ignore = "a million calls")]
#[test]
fn windows_purge_on_write_so_that_a_million_calls_take_no_more_than_one() {
    let breaker = live(
        Breaker::new("memory")
            .failure_rate(0.9)
            .slow_calls(0.9, Duration::from_secs(1))
            .consecutive(50)
            .consecutive_timeouts(50)
            .window(Duration::from_secs(10)),
    );
    // Half of them fail, over 14 hours, and nobody looks at the state or at the counts.
    let call = |number: u32| {
        let now = f64::from(number) / 20.0;
        let seen = if number % 2 == 0 { Seen::Timeout } else { Seen::Success };
        start(breaker, now).settle(seen, || at(now));
    };
    let (made, before) = (allocations(), in_use());
    (0..2).for_each(call);
    let (small, after_one) = (in_use() - before, (allocations(), in_use()));
    assert!(allocations() > made && small < 4_096, "{small} bytes");
    (2..1_000_000).for_each(call);
    assert_eq!((allocations(), in_use()), after_one);
    // The last ten seconds, to a sixtieth.
    let recent = breaker.recent_at(at(49_999.95));
    assert!((196..=200).contains(&recent.calls), "{recent:?}");
}

#[test]
fn a_breaker_without_failures_takes_nothing_from_the_heap() {
    static QUIET: Breaker = Breaker::new("quiet").checked();
    let made = allocations();
    for _ in 0..100 {
        start(&QUIET, 0.0).settle(Seen::Success, || at(0.0));
    }
    assert_eq!(allocations(), made);
}

#[cfg_attr(miri, ignore = "two thousand probes")]
#[test]
fn probes_take_no_more_than_their_places() {
    let breaker = live(Breaker::new("probes").consecutive(1).probes(2));
    breaker.open_at(at(0.0));
    let lose = |now| drop([start(breaker, now), start(breaker, now)]);
    lose(30.0);
    let after_one = (allocations(), in_use());
    (0..1_000).for_each(|_| lose(31.0));
    assert_eq!((allocations(), in_use()), after_one);
}
