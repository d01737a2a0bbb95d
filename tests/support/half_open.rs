//! Breakers that are opened, and what becomes of the calls that they let through or refuse.

use std::{future::Future, time::Duration};

use stormless::{Breaker, StopReason};
use tokio::time::{Instant, advance, sleep_until};

use crate::script::{Failure, Outcome, observed, secs};

/// Opens at the first failure, for ten seconds each time.
pub(crate) const fn half_open(name: &'static str) -> Breaker {
    Breaker::new(name)
        .consecutive(1)
        .open_for(Duration::from_secs(10))
        .growth(1.0)
        .jitter(0.0)
        .probe_timeout(Duration::from_secs(5))
}

/// Lets the breaker open, and the time pass until it lets a probe in.
pub(crate) async fn until_half_open(breaker: &Breaker) {
    breaker.open();
    advance(secs(10)).await;
}

/// Waits for a moment, counted from the start.
pub(crate) fn at(start: Instant, time: Duration) -> impl Future<Output = ()> {
    sleep_until(start + time)
}

/// Fails unless the call is refused without a body.
pub(crate) async fn assert_refused(call: impl Future<Output = Outcome>) {
    let (result, call) = observed(call).await;
    assert_eq!(result, Err(Failure::Open));
    assert_eq!((call.attempts(), call.reason()), (0, Some(StopReason::BreakerOpen)));
}
