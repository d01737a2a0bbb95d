//! What `docs/migration/hand-written.md` says of the loop and of us.

use std::time::Duration;

use migration::{Calls, Failure, ms};
use stormless::{Backoff, Policy, testing::isolated};
use tokio::time::{Instant, sleep};

const OURS: Policy = Policy::new().backoff(Backoff::Fixed).base(ms(100)).attempts(3);

/// The loop that everybody has.
async fn by_hand<T>(
    attempts: u32,
    mut delay: Duration,
    operation: impl AsyncFn() -> Result<T, Failure>,
) -> Result<T, Failure> {
    let mut attempt = 1;
    loop {
        match operation().await {
            Ok(value) => return Ok(value),
            Err(error) if attempt == attempts => return Err(error),
            Err(_) => {}
        }
        sleep(delay).await;
        delay *= 2;
        attempt += 1;
    }
}

#[tokio::test(start_paused = true)]
async fn a_final_error_is_repeated_by_the_loop() {
    isolated(async {
        let (theirs, ours) = (Calls::default(), Calls::default());
        let _ = by_hand(3, ms(100), async || theirs.fail(Failure::Gone)).await;
        let _ = OURS.run(async || ours.fail(Failure::Gone)).await;
        assert_eq!((theirs.count(), ours.count()), (3, 1));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn what_may_have_been_carried_out_is_repeated_by_the_loop() {
    isolated(async {
        let (theirs, ours) = (Calls::default(), Calls::default());
        let _ = by_hand(3, ms(100), async || theirs.fail(Failure::Lost)).await;
        let _ = OURS.run(async || ours.fail(Failure::Lost)).await;
        assert_eq!((theirs.count(), ours.count()), (3, 1));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn the_loop_sleeps_in_step_and_full_jitter_spreads() {
    let begun = Instant::now();
    let _ = by_hand(3, ms(100), async || Err::<(), _>(Failure::Down)).await;
    assert_eq!(begun.elapsed(), ms(300));

    let policy = Policy::new().attempts(1_001).base(ms(100)).max(ms(100));
    let delays: Vec<_> = policy.delays().collect();
    assert!(delays.iter().any(|delay| *delay < ms(10)));
    assert!(delays.iter().any(|delay| *delay > ms(90)));
}

#[tokio::test(start_paused = true)]
async fn a_timeout_around_the_loop_loses_the_error_and_a_deadline_keeps_it() {
    isolated(async {
        let begun = Instant::now();
        let loop_of = by_hand(3, ms(800), async || Err::<(), _>(Failure::Down));
        assert!(tokio::time::timeout(ms(1_000), loop_of).await.is_err());
        assert_eq!(begun.elapsed(), ms(1_000));

        let begun = Instant::now();
        let policy = OURS.base(ms(800));
        let result = policy.run(async || Err::<(), _>(Failure::Down)).deadline(ms(1_000)).await;
        // The second sleep would not end in time, so it does not begin.
        assert_eq!((result, begun.elapsed()), (Err(Failure::Down), ms(800)));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn three_layers_are_27_calls_there_and_3_here() {
    isolated(async {
        let calls = Calls::default();
        let leaf = async || by_hand(3, ms(1), async || calls.fail(Failure::Down)).await;
        let middle = async || by_hand(3, ms(1), leaf).await;
        let _ = by_hand(3, ms(1), middle).await;
        assert_eq!(calls.count(), 27);

        let calls = Calls::default();
        let leaf = || async { calls.fail(Failure::Down) };
        let middle = || async { OURS.run(leaf).await };
        let outer = || async { OURS.run(middle).await };
        let _ = OURS.run(outer).await;
        assert_eq!(calls.count(), 3);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn an_outage_costs_two_retries_a_call_there_and_ten_in_all_here() {
    isolated(async {
        let (theirs, ours) = (Calls::default(), Calls::default());
        for _ in 0..100 {
            let _ = by_hand(3, ms(1), async || theirs.fail(Failure::Down)).await;
            let _ = OURS.run(async || ours.fail(Failure::Down)).named("migrated").await;
        }
        assert_eq!((theirs.count(), ours.count()), (300, 110));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn both_stop_at_the_first_success() {
    isolated(async {
        let (theirs, ours) = (Calls::default(), Calls::default());
        assert_eq!(by_hand(3, ms(1), async || theirs.succeed_at(2)).await, Ok(2));
        assert_eq!(OURS.run(async || ours.succeed_at(2)).await, Ok(2));
    })
    .await;
}
