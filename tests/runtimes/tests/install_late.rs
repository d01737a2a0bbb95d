//! No timer is installed once something has asked for the time.

use stormless::{
    Breaker, BreakerState, deadline,
    timer::{FuturesTimer, install},
};

#[test]
fn what_has_told_the_time_stays_in_force() {
    // Neither of these needs to know what time it is.
    assert_eq!(deadline::remaining(), None);
    assert!(stormless::verify().is_ok());
    // Whether a breaker is open is known at a point in time.
    assert_eq!(Breaker::new("runtimes-late").state(), BreakerState::Closed);
    let refused = install(FuturesTimer).expect_err("the clock that told it is in force");
    assert_eq!(
        refused.to_string(),
        "the process has its timer already: call `install` once, before anything has asked for the time"
    );
}
