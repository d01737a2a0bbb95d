//! Sliding-window budgets as whole calls meet them: every attempt is a sample, and retries are a share
//! of the samples.

use std::{
    future::{Future, poll_fn},
    pin::pin,
    task::Poll,
    time::Duration,
};

use crate::bodies::{Answer, Dependency, Expensive, Failure, P, T, TooLate, TooSlow, ms, site};
use stormless::{Budget, StopReason, budget, deadline, report, retry, testing::isolated};

budget! {
    static USUAL: Budget = Budget::sliding_window("windows.usual");
    static HALF: Budget = Budget::sliding_window("windows.half").ratio(0.5).min_samples(0);
    // Of n samples n - 1 may be retries, for any n that is tested here: the balance tells the samples.
    static GAUGE: Budget = Budget::sliding_window("windows.gauge").ratio(0.999).min_samples(0);
}

#[retry(attempts = 30, backoff = "none", budget = USUAL, name = "windows.stubborn")]
async fn stubborn(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(attempts = 2, backoff = "none", budget = "windows.usual")]
async fn usual(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(attempts = 2, backoff = "none", budget = HALF)]
async fn reader(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(attempts = 2, backoff = "none", budget = "windows.half")]
async fn writer(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(attempts = 3, backoff = "none", budget = GAUGE, attempt_timeout = "1s")]
async fn gauged(dependency: &Dependency) -> Answer {
    let answer = dependency.answer();
    if answer == Err(TooSlow) {
        std::future::pending::<()>().await;
    }
    answer
}

#[retry(attempts = 3, backoff = "none", budget = GAUGE)]
async fn around(dependency: &Dependency) -> Answer {
    gauged(dependency).await
}

#[retry(attempts = 3, backoff = "none", budget = GAUGE, inner = "allow")]
async fn around_independent(dependency: &Dependency) -> Answer {
    gauged(dependency).await
}

#[retry(attempts = 3, backoff = "fixed", base = "10s", budget = GAUGE)]
async fn sleepy(dependency: &Dependency) -> Answer {
    dependency.answer()
}

async fn succeed<F: Future<Output = Answer>>(times: usize, call: impl Fn() -> F) {
    for _ in 0..times {
        assert_eq!(call().await, Ok(()));
    }
}

/// Samples and retries in the window of `GAUGE`.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small whole number")]
fn gauge() -> (u64, u64) {
    let retries = GAUGE.stats().spent();
    (GAUGE.balance() as u64 + retries + 1, retries)
}

#[track_caller]
fn assert_left(budget: &Budget, retries: f64) {
    let left = budget.balance();
    assert!((left - retries).abs() < 1e-9, "`{}` would grant {left}, not {retries}", budget.name());
}

#[tokio::test(start_paused = true)]
async fn nineteen_retries_are_exempt_while_there_are_fewer_than_twenty_samples() {
    isolated(async {
        assert_left(&USUAL, 19.0);
        let dead = Dependency::dead();
        let (result, calls) = report(stubborn(&dead)).await;
        assert_eq!((result, calls[0].reason()), (Err(T), Some(StopReason::BudgetExhausted)));
        assert_eq!(dead.bodies(), 20, "the twentieth attempt is a sample that ends the exemption");
        let stats = USUAL.stats();
        assert_eq!((stats.withdrawn, stats.refused), (19, 1));
        assert_left(&USUAL, 0.0);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn from_twenty_samples_on_retries_are_a_tenth_of_the_attempts_successes_included() {
    isolated(async {
        assert_eq!(stubborn(&Dependency::dead()).await, Err(T));
        let (healthy, dead) = (Dependency::always(Ok(())), Dependency::dead());
        // 20 samples and 19 retries so far; a twentieth retry takes 200 samples.
        succeed(178, || usual(&healthy)).await;
        assert_eq!((usual(&dead).await, dead.bodies()), (Err(T), 1), "199 samples");
        assert_eq!(
            (usual(&dead).await, dead.bodies()),
            (Err(T), 3),
            "200 samples, the retry one more"
        );
        assert_eq!((usual(&dead).await, dead.bodies()), (Err(T), 4), "202 samples");
        succeed(7, || usual(&healthy)).await;
        assert_eq!((usual(&dead).await, dead.bodies()), (Err(T), 6), "210 samples");
        assert_eq!(USUAL.stats().spent(), 21);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn the_window_moves_on_with_time() {
    isolated(async {
        assert_eq!(stubborn(&Dependency::dead()).await, Err(T));
        tokio::time::advance(Duration::from_secs(59)).await;
        let dead = Dependency::dead();
        assert_eq!((usual(&dead).await, dead.bodies()), (Err(T), 1), "all of it still counts");
        tokio::time::advance(Duration::from_secs(1)).await;
        // What is left is the sample of a second ago: the nineteenth attempt from here ends the
        // exemption.
        let dead = Dependency::dead();
        assert_eq!((stubborn(&dead).await, dead.bodies()), (Err(T), 19));
        assert_eq!(site("windows.stubborn").stops(StopReason::BudgetExhausted), 2);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn samples_in_a_window_are_no_savings_for_later() {
    isolated(async {
        let healthy = Dependency::always(Ok(()));
        succeed(50, || reader(&healthy)).await;
        assert_left(&HALF, 25.0);
        tokio::time::advance(Duration::from_secs(60)).await;
        let dead = Dependency::dead();
        assert_eq!((reader(&dead).await, dead.bodies()), (Err(T), 1));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn functions_that_share_a_window_share_its_samples_and_its_retries() {
    isolated(async {
        let (healthy, dead) = (Dependency::always(Ok(())), Dependency::dead());
        succeed(3, || reader(&healthy)).await;
        // The fourth sample is the writer's own failure; its retry is the fifth.
        assert_eq!((writer(&dead).await, dead.bodies()), (Err(T), 2));
        assert_left(&HALF, 1.0);
        assert_eq!((reader(&dead).await, dead.bodies()), (Err(T), 4));
        assert_left(&HALF, 1.0);
        assert_eq!((writer(&dead).await, dead.bodies()), (Err(T), 6));
        assert_eq!(HALF.stats().spent(), 3);
        assert_left(&HALF, 1.0);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn each_attempt_is_one_sample_however_it_ends() {
    isolated(async {
        let healthy = Dependency::always(Ok(()));
        succeed(10, || gauged(&healthy)).await;
        assert_eq!(gauge(), (10, 0));
        for (script, result, samples, retries) in [
            (Dependency::script([Err(T), Err(T), Ok(())]), Ok(()), 13, 2),
            (Dependency::script([Err(T), Err(P)]), Err(P), 15, 3),
            (Dependency::script([Err(P)]), Err(P), 16, 3),
            (Dependency::script([Err(T), Err(T), Err(T)]), Err(T), 19, 5),
            // A timeout may have been executed, so it is not retried; the attempt was made.
            (Dependency::script([Err(TooSlow)]), Err(TooSlow), 20, 5),
            (Dependency::script([Err(Expensive), Ok(())]), Ok(()), 22, 6),
        ] {
            assert_eq!(gauged(&script).await, result);
            // One withdrawal at the price of two leaves one less than its count says.
            let dearer = u64::from(samples == 22);
            assert_eq!(gauge(), (samples - dearer, retries));
        }
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_call_that_starts_no_attempt_is_no_sample() {
    isolated(async {
        let healthy = Dependency::always(Ok(()));
        succeed(10, || gauged(&healthy)).await;
        let late = deadline::within(ms(5), async {
            tokio::time::advance(ms(5)).await;
            gauged(&healthy).await
        });
        assert_eq!(late.await.unwrap_or(Err(TooLate)), Err(TooLate));
        assert_eq!((healthy.bodies(), gauge()), (10, (10, 0)));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_nested_call_that_shares_the_window_is_no_second_sample() {
    isolated(async {
        let healthy = Dependency::always(Ok(()));
        succeed(10, || around(&healthy)).await;
        assert_eq!((healthy.bodies(), gauge()), (10, (10, 0)));
        let failing = Dependency::script([Err(T), Err(T), Ok(())]);
        assert_eq!(around(&failing).await, Ok(()));
        assert_eq!((failing.bodies(), gauge()), (3, (13, 2)), "and one withdrawal for each retry");
        succeed(1, || around_independent(&healthy)).await;
        assert_eq!(gauge(), (14, 2));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_retry_that_never_starts_goes_back_into_the_window() {
    isolated(async {
        let healthy = Dependency::always(Ok(()));
        succeed(10, || gauged(&healthy)).await;
        let dead = Dependency::dead();
        {
            let mut call = pin!(sleepy(&dead));
            assert!(poll_fn(|task| Poll::Ready(call.as_mut().poll(task))).await.is_pending());
            assert_eq!(gauge(), (11, 1), "paid for, and asleep");
        }
        assert_eq!(gauge(), (11, 0));
        assert_eq!(GAUGE.stats().given_back, 1);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn an_isolated_test_has_a_window_of_its_own() {
    let drain = || {
        isolated(async {
            assert_left(&USUAL, 19.0);
            let dead = Dependency::dead();
            let result: Result<(), Failure> = stubborn(&dead).await;
            assert_eq!((result, dead.bodies()), (Err(T), 20));
            assert_left(&USUAL, 0.0);
        })
    };
    drain().await;
    isolated(async {
        drain().await;
        assert_left(&USUAL, 19.0);
        drain().await;
    })
    .await;
    assert_left(&USUAL, 19.0);
    assert_eq!(USUAL.stats(), stormless::BudgetStats::default());
}

#[retry(attempts = 3, backoff = "none", budget = none)]
async fn around_without_budget(dependency: &Dependency) -> Answer {
    gauged(dependency).await
}

/// A window counts attempts and not answers: that somebody else repeats them makes them no fewer.
#[tokio::test(start_paused = true)]
async fn attempts_that_an_enclosing_call_repeats_are_samples_too() {
    isolated(async {
        let (healthy, dead) = (Dependency::always(Ok(())), Dependency::dead());
        succeed(10, || gauged(&healthy)).await;
        assert_eq!(around_without_budget(&dead).await, Err(T));
        assert_eq!((dead.bodies(), gauge()), (3, (13, 2)));
    })
    .await;
}
