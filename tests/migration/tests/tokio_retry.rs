//! What `docs/migration/tokio-retry.md` says of tokio-retry, tokio-retry2 and us.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use migration::{Calls, Failure, ms};
use stormless::{
    Backoff, Policy, report,
    testing::{self, Jitter, isolated},
};
use tokio::time::Instant;
use tokio_retry2::strategy::MaxInterval;

const OURS: Policy = Policy::new().backoff(Backoff::Fixed).base(ms(50)).attempts(3);

fn one() -> impl Iterator<Item = Duration> {
    tokio_retry::strategy::FixedInterval::from_millis(50).take(2)
}

fn two() -> impl Iterator<Item = Duration> {
    tokio_retry2::strategy::FixedInterval::from_millis(50).take(2)
}

#[tokio::test(start_paused = true)]
async fn taking_two_delays_is_three_attempts() {
    isolated(async {
        let (first, second, ours) = (Calls::default(), Calls::default(), Calls::default());
        let _ = tokio_retry::Retry::start(one(), || async { first.fail(Failure::Down) }).await;
        let _ = tokio_retry2::Retry::spawn(two(), || async {
            second.fail(Failure::Down).map_err(tokio_retry2::RetryError::transient)
        })
        .await;
        let _ = OURS.run(async || ours.fail(Failure::Down)).await;
        assert_eq!((first.count(), second.count(), ours.count()), (3, 3, 3));
    })
    .await;
}

#[test]
fn their_strategies_never_end_by_themselves_and_ours_does() {
    assert!(tokio_retry::strategy::FixedInterval::from_millis(1).nth(1_000_000).is_some());
    assert_eq!(Policy::new().delays().count(), 2);
}

#[test]
fn the_exponential_is_a_power_of_its_base() {
    let theirs: Vec<_> =
        tokio_retry::strategy::ExponentialBackoff::from_millis(10).take(3).collect();
    let ours: Vec<_> = Policy::new()
        .attempts(4)
        .backoff(Backoff::Exponential)
        .base(ms(10))
        .factor(10.0)
        .delays()
        .collect();
    assert_eq!(theirs, [ms(10), ms(100), ms(1_000)]);
    assert_eq!(ours, theirs);

    // What people expect of the number is the other crate's second strategy.
    let doubled: Vec<_> =
        tokio_retry2::strategy::ExponentialFactorBackoff::from_millis(50, 2.0).take(3).collect();
    let ours: Vec<_> = Policy::new().attempts(4).backoff(Backoff::Exponential).delays().collect();
    assert_eq!(doubled, [ms(50), ms(100), ms(200)]);
    assert_eq!(ours, doubled);
}

#[test]
fn jitter_of_the_one_is_full_and_of_the_other_half_to_one_and_a_half() {
    let delays: Vec<_> = (0..1_000).map(|_| tokio_retry::strategy::jitter(ms(1_000))).collect();
    assert!(delays.iter().all(|delay| *delay < ms(1_000)));
    assert!(delays.iter().any(|delay| *delay < ms(100)));

    let delays: Vec<_> = (0..1_000).map(|_| tokio_retry2::strategy::jitter(ms(1_000))).collect();
    assert!(delays.iter().all(|delay| (ms(500)..=ms(1_500)).contains(delay)));
    assert!(
        delays.iter().any(|delay| *delay > ms(1_400)),
        "above any cap under which it is mapped"
    );
}

#[tokio::test(start_paused = true)]
async fn a_servers_wish_is_not_heard_there_and_a_floor_here() {
    isolated(async {
        let wait = Duration::from_secs(10);
        let begun = Instant::now();
        let _ = tokio_retry2::Retry::spawn(two(), || async {
            Err::<(), _>(tokio_retry2::RetryError::retry_after(Failure::Busy { wait }, wait))
        })
        .await;
        assert_eq!(begun.elapsed(), ms(100));

        let begun = Instant::now();
        let policy = OURS.max_retry_after(Duration::from_secs(30));
        let _ = policy.run(async || Err::<(), _>(Failure::Busy { wait })).await;
        assert!(begun.elapsed() >= wait * 2, "{:?}", begun.elapsed());
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn notify_tells_what_was_slept_and_on_retry_what_will_be() {
    isolated(async {
        let told = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&told);
        let _ = tokio_retry2::Retry::spawn_notify(
            two(),
            || async { Err::<(), _>(tokio_retry2::RetryError::transient(Failure::Down)) },
            move |_: &Failure, delay| heard.lock().unwrap().push(delay),
        )
        .await;
        // Three times, the last of them for a retry that never comes.
        assert_eq!(*told.lock().unwrap(), [ms(0), ms(50), ms(100)]);

        let mut told = Vec::new();
        let _ = OURS
            .run(async || Err::<(), _>(Failure::Down))
            .on_retry(|event| told.push(event.delay()))
            .await;
        assert_eq!(told, [ms(50), ms(50)]);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn their_first_attempt_is_made_before_anybody_waits_for_it() {
    isolated(async {
        let (first, second, ours) = (Calls::default(), Calls::default(), Calls::default());
        drop(tokio_retry::Retry::start(one(), || std::future::ready(first.fail(Failure::Down))));
        drop(tokio_retry2::Retry::spawn(two(), || {
            std::future::ready(
                second.fail(Failure::Down).map_err(tokio_retry2::RetryError::transient),
            )
        }));
        drop(std::future::IntoFuture::into_future(
            OURS.run(|| std::future::ready(ours.fail(Failure::Down))),
        ));
        assert_eq!((first.count(), second.count(), ours.count()), (1, 1, 0));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn max_duration_reads_another_clock_and_a_deadline_the_runtimes() {
    isolated(async {
        let begun = Instant::now();
        let strategy = tokio_retry2::strategy::FixedInterval::new(Duration::from_secs(60))
            .max_duration(Duration::from_secs(10))
            .take(2);
        let _ = tokio_retry2::Retry::spawn(strategy, || async {
            Err::<(), _>(tokio_retry2::RetryError::transient(Failure::Down))
        })
        .await;
        // Neither paused time nor the length of the next sleep is looked at.
        assert_eq!(begun.elapsed(), Duration::from_secs(120));

        let begun = Instant::now();
        let result = OURS
            .base(Duration::from_secs(60))
            .max(Duration::from_secs(60))
            .run(async || Err::<(), _>(Failure::Down))
            .deadline(Duration::from_secs(10))
            .await;
        assert_eq!((result, begun.elapsed()), (Err(Failure::Down), Duration::ZERO));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn permanent_errors_end_the_call_where_somebody_says_so() {
    isolated(async {
        let (all, told, question, ours) =
            (Calls::default(), Calls::default(), Calls::default(), Calls::default());
        let _ = tokio_retry::Retry::start(one(), || async { all.fail(Failure::Gone) }).await;
        let _ = tokio_retry2::Retry::spawn(two(), || async {
            told.fail(Failure::Gone).map_err(tokio_retry2::RetryError::permanent)
        })
        .await;
        let _ = tokio_retry2::Retry::spawn(two(), || async {
            // The question mark makes every error a transient one.
            Ok(question.fail(Failure::Gone)?)
        })
        .await;
        let _ = OURS.run(async || ours.fail(Failure::Gone)).await;
        let counts = (all.count(), told.count(), question.count(), ours.count());
        assert_eq!(counts, (3, 1, 3, 1));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn three_layers_are_27_calls_there_and_3_here() {
    isolated(async {
        let calls = Calls::default();
        let leaf = || tokio_retry::Retry::start(one(), || async { calls.fail(Failure::Down) });
        let middle = || tokio_retry::Retry::start(one(), leaf);
        let _ = tokio_retry::Retry::start(one(), middle).await;
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
        testing::jitter(Jitter::Lowest);
        let (theirs, ours) = (Calls::default(), Calls::default());
        for _ in 0..100 {
            let _ = tokio_retry::Retry::start(one(), || async { theirs.fail(Failure::Down) }).await;
            let call = OURS.run(async || ours.fail(Failure::Down)).named("migrated");
            let (_, calls) = report(call).await;
            assert_eq!(calls.len(), 1);
        }
        assert_eq!((theirs.count(), ours.count()), (300, 110));
    })
    .await;
}
