//! `testing::isolated`: each test has breakers of its own.
#![cfg(feature = "testing")]

use std::time::Duration;

use retry_runtime::__private::{NamedBreaker, Seen};
use retry_runtime::testing::{Jitter, isolated, isolated_sync, jitter};
use retry_runtime::{Breaker, BreakerState, BreakerStats, Context, Moment, breaker, breakers};

breaker! {
    static SHARED: Breaker = Breaker::new("isolation-shared").consecutive(2);
    static SPREAD: Breaker = Breaker::new("isolation-spread").consecutive(1).jitter(0.5);
}

const NOW: Moment = Moment::from_nanos(0);

fn fail(breaker: &'static Breaker) {
    breaker.admit(|| NOW).expect("it is closed").settle(Seen::Failure, || NOW);
}

fn assert_untouched() {
    assert_eq!(SHARED.state_at(NOW), BreakerState::Closed);
    assert_eq!(SHARED.stats(), BreakerStats::default());
    assert_eq!(
        breakers().get("isolation-shared").expect("declared").stats(),
        BreakerStats::default()
    );
}

#[tokio::test]
async fn each_test_has_its_own_copy_and_the_process_is_not_touched() {
    static SLOT: NamedBreaker = NamedBreaker::new("isolation-shared");
    isolated(async {
        fail(SLOT.resolve());
        fail(SHARED.here());
        assert_eq!(SHARED.state_at(NOW), BreakerState::Open);
        assert_eq!(SHARED.stats().opened, 1);
        assert_eq!(breakers().get("isolation-shared").expect("declared").stats().failures, 2);
        isolated(async { assert_untouched() }).await;
        isolated_sync(assert_untouched);
        assert_eq!(SHARED.state_at(NOW), BreakerState::Open, "the outer test goes on as it was");
    })
    .await;
    assert_untouched();
}

#[tokio::test]
async fn what_is_moved_by_hand_is_the_copy() {
    isolated(async {
        SHARED.isolate();
        assert_eq!(SHARED.state_at(NOW), BreakerState::Isolated);
        assert!(SHARED.here().admit(|| NOW).is_err());
        isolated(async { assert_untouched() }).await;
        SHARED.close();
        SHARED.open_at(NOW);
        assert_eq!(SHARED.opens_in_at(NOW), Some(Duration::from_secs(30)));
    })
    .await;
    assert_untouched();
}

#[tokio::test]
async fn a_task_that_outlives_its_test_touches_the_process_no_more() {
    let mut late = None;
    isolated(async {
        late = Some(Context::capture().scope(async { fail(SHARED.here()) }));
    })
    .await;
    late.expect("it was made").await;
    assert_untouched();
}

#[test]
fn jitter_of_the_test_decides_how_long_it_stays_open() {
    for (jittered, left) in [(Jitter::Lowest, 30), (Jitter::Highest, 45)] {
        isolated_sync(|| {
            jitter(jittered);
            fail(SPREAD.here());
            assert_eq!(SPREAD.opens_in_at(NOW), Some(Duration::from_secs(left)));
        });
    }
    let seeded = || {
        isolated_sync(|| {
            jitter(Jitter::Seeded(7));
            fail(SPREAD.here());
            SPREAD.opens_in_at(NOW)
        })
    };
    assert_eq!(seeded(), seeded());
}
