//! The switches of the process, in the build that services run: alone in their process, as they act on
//! all of it.

use plain::{Dependency, Failure};
use stormless::{Budget, RetryError, StopReason, budget, control, retry, sites};

budget! {
    static SWITCHED: Budget = Budget::new("switches.orders").burst(10).ratio(0.1);
}

#[retry(attempts = 2, backoff = "none", budget = SWITCHED, name = "switched")]
async fn switched(dependency: &Dependency) -> Result<u64, RetryError<Failure>> {
    dependency.answer()
}

/// How many bodies a failing call came to, and why it stopped.
async fn failing() -> (usize, StopReason) {
    let dead = Dependency::dead();
    let stopped = switched(&dead).await.expect_err("it is down");
    (dead.bodies(), stopped.reason())
}

const RETRIED: (usize, StopReason) = (2, StopReason::AttemptsExhausted);
const DISABLED: (usize, StopReason) = (1, StopReason::Disabled);

#[tokio::test(start_paused = true)]
async fn each_switch_stops_retries_until_it_is_thrown_back() {
    assert_eq!(failing().await, RETRIED);
    let switches = [
        control::all(),
        control::budget("switches.orders").expect("it is declared"),
        control::site("switched").expect("it is linked"),
    ];
    for switch in &switches {
        switch.off();
        assert!(switch.is_off());
        assert_eq!(failing().await, DISABLED);
        assert_eq!(switched(&Dependency::failing(0)).await.ok(), Some(7));
        switch.on();
        assert!(!switch.is_off());
        assert_eq!(failing().await, RETRIED);
    }
    assert_eq!(control::without_retries(failing()).await, DISABLED);
    assert_eq!(failing().await, RETRIED);
    assert_eq!(SWITCHED.stats().withdrawn, 5);

    assert_eq!(
        sites().get("switched").expect("it is linked").calls(),
        9,
        "successes are not counted"
    );
    control::count_successes(true);
    assert_eq!(switched(&Dependency::failing(0)).await.ok(), Some(7));
    control::count_successes(false);
    assert_eq!(switched(&Dependency::failing(0)).await.ok(), Some(7));
    assert_eq!(sites().get("switched").expect("it is linked").calls(), 10);
}
