//! What `docs/migration/backon.md` says of both sides.

use std::time::Duration;

use backon::{BackoffBuilder, ConstantBuilder, ExponentialBuilder, Retryable};
use backon_macros::backon;
use migration::{Calls, Failure, ms};
use stormless::{
    Backoff, Budget, ConfigError, Policy, StopReason, budget, report,
    testing::{self, Jitter, isolated},
};
use tokio::time::{Instant, sleep, timeout};

/// Two retries, a millisecond apart.
const QUICK: ConstantBuilder = ConstantBuilder::new().with_delay(ms(1)).with_max_times(2);
budget! { static DROPPED: Budget = Budget::new("migration.dropped").burst(10).ratio(0.1); }

const OURS: Policy = Policy::new().backoff(Backoff::Fixed).base(ms(1)).attempts(3);

#[tokio::test(start_paused = true)]
async fn max_times_counts_retries_where_attempts_counts_calls() {
    isolated(async {
        let (theirs, ours) = (Calls::default(), Calls::default());
        let result = (|| async { theirs.fail(Failure::Down) }).retry(QUICK.with_max_times(3)).await;
        assert_eq!((result, theirs.count()), (Err(Failure::Down), 4));
        let result = OURS.attempts(4).run(async || ours.fail(Failure::Down)).await;
        assert_eq!((result, ours.count()), (Err(Failure::Down), 4));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn the_defaults_are_seven_seconds_without_jitter_and_at_most_150_ms() {
    isolated(async {
        let delays: Vec<_> = ExponentialBuilder::default().build().collect();
        assert_eq!(delays, [ms(1_000), ms(2_000), ms(4_000)]);

        testing::jitter(Jitter::Highest);
        let (result, calls) =
            report(Policy::new().run(async || Calls::default().fail(Failure::Down))).await;
        assert!(result.is_err());
        assert_eq!(calls[0].attempts(), 3);
        assert!(calls[0].slept() <= ms(152), "{:?}", calls[0].slept());
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn the_same_schedule_can_be_had() {
    isolated(async {
        let policy = Policy::new()
            .attempts(4)
            .backoff(Backoff::Exponential)
            .base(ms(1_000))
            .max(Duration::from_secs(60));
        let ours: Vec<_> = policy.delays().collect();
        assert_eq!(ours, ExponentialBuilder::default().build().collect::<Vec<_>>());
    })
    .await;
}

#[test]
fn jitter_comes_on_top_of_the_cap_and_ours_stays_below_it() {
    let jittered =
        ExponentialBuilder::default().with_max_delay(ms(1_000)).with_jitter().with_max_times(1_000);
    let delays: Vec<_> = jittered.build().collect();
    assert!(delays.iter().all(|delay| (ms(1_000)..=ms(2_000)).contains(delay)));
    assert!(delays.iter().any(|delay| *delay > ms(1_900)));

    let policy = Policy::new().attempts(1_001).base(ms(1_000)).max(ms(1_000));
    let delays: Vec<_> = policy.delays().collect();
    assert_eq!(delays.len(), 1_000);
    assert!(delays.iter().all(|delay| *delay <= ms(1_000)));
    assert!(delays.iter().any(|delay| *delay < ms(100)), "spread from zero");
}

#[test]
fn a_first_delay_above_the_cap_is_slept_there_and_refused_here() {
    let builder = ExponentialBuilder::default().with_min_delay(ms(5_000)).with_max_delay(ms(1_000));
    assert_eq!(builder.build().next(), Some(ms(5_000)));

    let fault = Policy::new().base(ms(5_000)).max(ms(1_000)).check();
    assert!(matches!(fault, Err(ConfigError::BaseAboveMax { .. })), "{fault:?}");
}

#[tokio::test(start_paused = true)]
async fn total_delay_counts_sleeps_and_a_deadline_counts_everything() {
    isolated(async {
        let total = ExponentialBuilder::default()
            .with_min_delay(ms(100))
            .with_total_delay(Some(ms(1_000)))
            .with_max_times(3);
        let slow = || async {
            sleep(Duration::from_secs(30)).await;
            Err::<(), _>(Failure::Down)
        };
        let begun = Instant::now();
        assert_eq!(slow.retry(total).await, Err(Failure::Down));
        // Timers are rounded up to whole milliseconds.
        assert!((ms(120_700)..ms(120_710)).contains(&begun.elapsed()), "{:?}", begun.elapsed());

        let begun = Instant::now();
        let result = OURS.run(slow).deadline(ms(1_000)).await;
        assert_eq!((result, begun.elapsed()), (Err(Failure::OutOfTime), ms(1_000)));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn an_adjusted_delay_escapes_the_total_and_a_hint_does_not() {
    isolated(async {
        let wait = Duration::from_secs(60);
        let busy = || async { Err::<(), _>(Failure::Busy { wait }) };
        let begun = Instant::now();
        let total =
            ExponentialBuilder::default().with_min_delay(ms(100)).with_total_delay(Some(ms(1_000)));
        let _ = busy.retry(total).adjust(|_, delay| delay.map(|_| wait)).await;
        assert!((wait * 3..wait * 3 + ms(10)).contains(&begun.elapsed()));

        let begun = Instant::now();
        let (result, calls) = report(OURS.run(busy)).await;
        assert_eq!((result, begun.elapsed()), (Err(Failure::Busy { wait }), Duration::ZERO));
        assert_eq!(calls[0].reason(), Some(StopReason::RetryAfterTooLong));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn every_error_is_retried_there_unless_told_and_final_ones_end_the_call_here() {
    isolated(async {
        let (theirs, told, ours) = (Calls::default(), Calls::default(), Calls::default());
        let _ = (|| async { theirs.fail(Failure::Gone) }).retry(QUICK).await;
        let _ = (|| async { told.fail(Failure::Gone) })
            .retry(QUICK)
            .when(|error| *error != Failure::Gone)
            .await;
        let _ = OURS.run(async || ours.fail(Failure::Gone)).await;
        assert_eq!((theirs.count(), told.count(), ours.count()), (3, 1, 1));

        let (theirs, ours, idempotent) = (Calls::default(), Calls::default(), Calls::default());
        let _ = (|| async { theirs.fail(Failure::Lost) }).retry(QUICK).await;
        let _ = OURS.run(async || ours.fail(Failure::Lost)).await;
        let _ = OURS.idempotent().run(async || idempotent.fail(Failure::Lost)).await;
        assert_eq!((theirs.count(), ours.count(), idempotent.count()), (3, 1, 3));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn three_layers_are_27_calls_there_and_3_here() {
    isolated(async {
        let calls = Calls::default();
        let leaf = || async { calls.fail(Failure::Down) };
        let middle = || async { leaf.retry(QUICK).await };
        let outer = || async { middle.retry(QUICK).await };
        let _ = outer.retry(QUICK).await;
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
            let _ = (|| async { theirs.fail(Failure::Down) }).retry(QUICK).await;
            let _ = OURS.run(async || ours.fail(Failure::Down)).named("migrated").await;
        }
        assert_eq!((theirs.count(), ours.count()), (300, 110));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn notify_and_on_retry_hear_of_each_retry_with_its_delay() {
    isolated(async {
        let (mut theirs, mut ours) = (Vec::new(), Vec::new());
        let down = || async { Err::<(), _>(Failure::Down) };
        let _ = down.retry(QUICK).notify(|_, delay| theirs.push(delay)).await;
        let _ = OURS.run(down).on_retry(|event| ours.push(event.delay())).await;
        assert_eq!((theirs, ours), (vec![ms(1); 2], vec![ms(1); 2]));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_dropped_while_it_sleeps_gives_its_retry_back() {
    isolated(async {
        let calls = Calls::default();
        let call = OURS.base(ms(100)).run(async || calls.fail(Failure::Down)).budget(&DROPPED);
        assert!(timeout(ms(10), call).await.is_err());
        let balance = DROPPED.in_effect().balance();
        assert_eq!(calls.count(), 1);
        assert!((balance - 10.0).abs() < 1e-9, "{balance}");
    })
    .await;
}

fn quick() -> ConstantBuilder {
    QUICK
}

#[backon(backoff = quick)]
async fn by_their_macro(calls: &Calls) -> Result<u32, Failure> {
    calls.fail(Failure::Down)
}

#[stormless::retry(policy = OURS)]
async fn by_our_attribute(calls: &Calls) -> Result<u32, Failure> {
    calls.fail(Failure::Down)
}

#[tokio::test(start_paused = true)]
async fn the_attributes_do_what_the_closures_do() {
    isolated(async {
        let (theirs, ours) = (Calls::default(), Calls::default());
        let _ = by_their_macro(&theirs).await;
        let _ = by_our_attribute(&ours).await;
        assert_eq!((theirs.count(), ours.count()), (3, 3));
    })
    .await;
}
