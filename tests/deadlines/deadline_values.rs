//! What `deadline` may be, and the deadline that is in force around a future.

use std::{
    future::Future,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use crate::script::{FOREVER, Failure, OK, Outcome, Script, T, ms, secs};
use stormless::{
    Context, DeadlineExceeded,
    deadline::{remaining, within},
    retry,
};
use tokio::time::{Instant, sleep};

const LIMIT: Duration = Duration::from_millis(1_500);

/// Cut by a deadline `after` this long.
async fn assert_cut_after(after: Duration, script: &Script, call: impl Future<Output = Outcome>) {
    assert_eq!(call.await, Err(Failure::Late));
    assert_eq!((script.bodies(), script.elapsed()), (1, after));
}

#[tokio::test(start_paused = true)]
async fn a_deadline_is_a_literal_a_const_or_an_expression() {
    #[retry(deadline = "1s500ms", budget = none)]
    async fn literal(script: &Script) -> Outcome {
        script.body().await
    }
    #[retry(deadline = LIMIT, budget = none)]
    async fn by_const(script: &Script) -> Outcome {
        script.body().await
    }
    #[retry(deadline = limit, budget = none)]
    async fn duration(script: &Script, limit: Duration) -> Outcome {
        script.body().await
    }
    #[retry(deadline = moment, budget = none)]
    async fn instant(script: &Script, moment: Instant) -> Outcome {
        script.body().await
    }
    #[retry(deadline = moment, budget = none)]
    async fn std_instant(script: &Script, moment: std::time::Instant) -> Outcome {
        script.body().await
    }
    #[retry(deadline = Some(limit).filter(|_| *on), budget = none)]
    async fn option(script: &Script, limit: Duration, on: &bool) -> Outcome {
        script.body().await
    }
    let script = Script::hanging();
    assert_cut_after(LIMIT, &script, literal(&script)).await;
    let script = Script::hanging();
    assert_cut_after(LIMIT, &script, by_const(&script)).await;
    let script = Script::hanging();
    assert_cut_after(LIMIT, &script, duration(&script, LIMIT)).await;
    let script = Script::hanging();
    assert_cut_after(LIMIT, &script, instant(&script, Instant::now() + LIMIT)).await;
    let script = Script::hanging();
    let moment = (Instant::now() + LIMIT).into_std();
    assert_cut_after(LIMIT, &script, std_instant(&script, moment)).await;
    let script = Script::hanging();
    assert_cut_after(LIMIT, &script, option(&script, LIMIT, &true)).await;

    let script = Script::new([OK]).taking(secs(100));
    assert_eq!(option(&script, LIMIT, &false).await, OK, "`None` is no deadline");
}

#[tokio::test(start_paused = true)]
async fn a_duration_counts_from_the_first_poll_and_an_instant_does_not() {
    #[retry(deadline = limit, budget = none)]
    async fn duration(script: &Script, limit: Duration) -> Outcome {
        script.body().await
    }
    #[retry(deadline = moment, budget = none)]
    async fn instant(script: &Script, moment: Instant) -> Outcome {
        script.body().await
    }
    let script = Script::hanging();
    let unpolled = duration(&script, secs(2));
    sleep(secs(1)).await;
    assert_cut_after(secs(3), &script, unpolled).await;

    let script = Script::hanging();
    let unpolled = instant(&script, Instant::now() + secs(2));
    sleep(secs(1)).await;
    assert_cut_after(secs(2), &script, unpolled).await;

    // An instant that has passed is a deadline that has passed.
    let script = Script::new([]);
    assert_eq!(instant(&script, Instant::now()).await, Err(Failure::Late));
}

#[tokio::test(start_paused = true)]
async fn an_expression_that_yields_nothing_leaves_the_inherited_deadline() {
    #[retry(deadline = limit, budget = none)]
    async fn given(script: &Script, limit: Option<Duration>) -> Outcome {
        script.body().await
    }
    for (limit, after) in [(None, 2), (Some(secs(9)), 2), (Some(secs(1)), 1)] {
        let script = Script::hanging();
        let cut = within(secs(2), given(&script, limit)).await.unwrap();
        assert_eq!(cut, Err(Failure::Late));
        assert_eq!(script.elapsed(), secs(after), "{limit:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn remaining_is_what_is_left_of_the_smallest_deadline_around() {
    assert_eq!(remaining(), None);
    within(secs(2), async {
        assert_eq!(remaining(), Some(secs(2)));
        sleep(ms(500)).await;
        assert_eq!(remaining(), Some(ms(1_500)));
        within(secs(9), async { assert_eq!(remaining(), Some(ms(1_500))) }).await.unwrap();
        within(secs(1), async { assert_eq!(remaining(), Some(secs(1))) }).await.unwrap();
        within(FOREVER, async { assert_eq!(remaining(), Some(ms(1_500))) }).await.unwrap();
        Context::root().scope(async { assert_eq!(remaining(), None) }).await;
        tokio::time::advance(ms(1_499)).await;
        assert_eq!(remaining(), Some(ms(1)));
    })
    .await
    .unwrap();
    within(FOREVER, async { assert_eq!(remaining(), None) }).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn nothing_remains_of_a_deadline_that_has_passed() {
    let late = within(secs(1), async {
        tokio::time::advance(secs(5)).await;
        remaining()
    });
    assert_eq!(late.await, Ok(Some(Duration::ZERO)));
}

struct Dropped<'a>(&'a AtomicBool);

impl Drop for Dropped<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[tokio::test(start_paused = true)]
async fn within_drops_the_future_when_its_time_is_over() {
    let (begun, dropped) = (Instant::now(), AtomicBool::new(false));
    let result = within(secs(3), async {
        let _held = Dropped(&dropped);
        std::future::pending::<()>().await;
    })
    .await;
    assert_eq!(result, Err(DeadlineExceeded::default()));
    assert!(dropped.load(Ordering::Relaxed));
    assert_eq!(begun.elapsed(), secs(3));
    assert_eq!(
        within(Duration::ZERO, std::future::pending::<()>()).await,
        Err(DeadlineExceeded::default())
    );
}

#[tokio::test(start_paused = true)]
async fn within_bounds_the_retries_of_the_calls_inside() {
    #[retry(attempts = 9, backoff = "fixed", base = "2s", budget = none)]
    async fn steady(script: &Script) -> Outcome {
        script.body().await
    }
    let script = Script::always(T);
    assert_eq!(within(secs(5), steady(&script)).await, Ok(T));
    assert_eq!(script.starts(), [0, 2, 4].map(secs));
    let script = Script::new([T, T, OK]);
    assert_eq!(within(FOREVER, steady(&script)).await, Ok(OK));
}
