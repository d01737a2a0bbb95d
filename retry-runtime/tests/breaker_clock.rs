//! Breakers on the runtime's monotonic clock; the wall clock goes its own way.

use std::time::{Duration, SystemTime};

use retry_runtime::{Breaker, BreakerState};
use tokio::time::advance;

fn opened() -> &'static Breaker {
    let breaker: &Breaker =
        Box::leak(Box::new(Breaker::new("clock").open_for(Duration::from_secs(30))));
    breaker.open();
    breaker
}

// R081
#[tokio::test(start_paused = true)]
async fn it_is_open_for_exactly_its_time_on_the_monotonic_clock() {
    let breaker = opened();
    // Half a minute passes in a moment of the wall clock, which is a step back by as much.
    let wall = SystemTime::now();
    for _ in 0..30 {
        assert_eq!(breaker.state(), BreakerState::Open);
        advance(Duration::from_secs(1)).await;
    }
    assert!(wall.elapsed().is_ok_and(|passed| passed < Duration::from_secs(25)));
    assert_eq!(breaker.state(), BreakerState::HalfOpen);
    assert_eq!(breaker.opens_in(), Some(Duration::ZERO));
}

// R081
#[tokio::test(start_paused = true)]
async fn it_stays_open_while_the_monotonic_clock_stands_still() {
    let breaker = opened();
    advance(Duration::from_millis(29_999)).await;
    // However often the task runs in between, and whatever passes on the wall meanwhile.
    for _ in 0..100 {
        tokio::task::yield_now().await;
        assert_eq!(breaker.opens_in(), Some(Duration::from_millis(1)));
    }
    assert_eq!(breaker.state(), BreakerState::Open);
    advance(Duration::from_millis(1)).await;
    assert_eq!(breaker.state(), BreakerState::HalfOpen);
}
