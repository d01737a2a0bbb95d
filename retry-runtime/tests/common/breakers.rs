//! Breakers and the calls that ask them, at moments that the tests choose.
#![allow(dead_code, reason = "not each test needs all of it")]

use std::time::Duration;

use retry_runtime::__private::{Permit, Seen};
use retry_runtime::{Breaker, BreakerOpen, BreakerState, Moment};

/// This many seconds after the tests' beginning.
pub(crate) fn at(seconds: f64) -> Moment {
    Moment::from_nanos(0).after(Duration::from_secs_f64(seconds))
}

/// One that lives as long as those in statics.
pub(crate) fn live(breaker: Breaker) -> &'static Breaker {
    assert_eq!(breaker.check(), Ok(()));
    Box::leak(Box::new(breaker))
}

pub(crate) fn admit(breaker: &'static Breaker, seconds: f64) -> Result<Permit, BreakerOpen> {
    breaker.admit(|| at(seconds))
}

/// A call that starts and is under way.
#[track_caller]
pub(crate) fn start(breaker: &'static Breaker, seconds: f64) -> Permit {
    admit(breaker, seconds).expect("the breaker lets it through")
}

/// A call that ends where it starts.
#[track_caller]
pub(crate) fn call(breaker: &'static Breaker, seconds: f64, seen: Seen) {
    start(breaker, seconds).settle(seen, || at(seconds));
}

/// Why a call is refused: the seconds until one is let through.
#[track_caller]
pub(crate) fn refused(breaker: &'static Breaker, seconds: f64) -> Option<f64> {
    let open = admit(breaker, seconds).expect_err("the breaker refuses it");
    assert_eq!(breaker.refuses(at(seconds)), Some(open), "and would have said so");
    open.retry_after().map(|wait| wait.as_secs_f64())
}

#[track_caller]
pub(crate) fn assert_state(breaker: &Breaker, seconds: f64, state: BreakerState) {
    assert_eq!(breaker.state_at(at(seconds)), state);
}

/// One that failures have opened at this time.
#[track_caller]
pub(crate) fn opened(breaker: Breaker, seconds: f64) -> &'static Breaker {
    let breaker = live(breaker);
    for _ in 0..10_000 {
        if breaker.refuses(at(seconds)).is_some() {
            return breaker;
        }
        call(breaker, seconds, Seen::Timeout);
    }
    panic!("{breaker:?} does not open");
}
