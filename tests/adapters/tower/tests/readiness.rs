//! Who is waited for, and who is called.

use std::{future::poll_fn, task::Poll, time::Duration};

use adapters_tower::{Failure, Probe, Step};
use stormless::{
    Backoff, Outcome, Policy, RetryError, StopReason, report, testing::isolated, tower::RetryLayer,
};
use tower::{Layer, Service, ServiceExt};

use Step::{Broken, Fails, Gives, Hangs};

const MS10: Duration = Duration::from_millis(10);
const POLICY: Policy = Policy::new().backoff(Backoff::Fixed).base(MS10);
const T: Step = Fails(Failure::Unavailable);

#[tokio::test(start_paused = true)]
async fn every_attempt_waits_for_the_service_that_it_calls() {
    // R161
    isolated(async {
        let probe = Probe::new([T, T, Gives(7)]);
        let mut service = RetryLayer::new(POLICY).layer(probe.clone());
        let answer = service.ready().await.unwrap().call("order 7").await;
        assert_eq!(answer, Ok(7));
        assert_eq!((probe.checks(), probe.attempts()), (3, vec![1, 2, 3]));
        assert_eq!(probe.times(), [Duration::ZERO, MS10, 2 * MS10]);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn the_first_attempt_calls_the_service_that_the_caller_waited_for() {
    isolated(async {
        let probe = Probe::new([T, Gives(7), Gives(8)]);
        // Clone 1.
        let mut service = RetryLayer::new(POLICY).layer(probe.clone());
        service.ready().await.unwrap();
        let first = service.call("order 7");
        assert_eq!(first.await, Ok(7));
        assert_eq!(probe.calls()[0].clone, 1);
        // What has taken its place was never waited for, and is now.
        assert_eq!(probe.checks(), 2);
        assert_eq!(service.ready().await.unwrap().call("order 8").await, Ok(8));
        let mut clones: Vec<usize> = probe.calls().iter().map(|call| call.clone).collect();
        clones.dedup();
        assert_eq!((clones.len(), probe.checks()), (3, 3));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_clone_of_a_ready_service_is_not_ready() {
    isolated(async {
        let probe = Probe::new([Gives(7), Gives(8)]);
        let mut service = RetryLayer::new(POLICY).layer(probe.clone());
        service.ready().await.unwrap();
        let mut other = service.clone();
        assert_eq!((probe.checks(), probe.reserved()), (1, 1));
        other.ready().await.unwrap();
        assert_eq!((probe.checks(), probe.reserved()), (2, 2));
        assert_eq!(service.call("a").await, Ok(7));
        assert_eq!(other.call("b").await, Ok(8));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_service_that_breaks_before_a_call_tells_the_caller() {
    isolated(async {
        let probe: Probe<&str> = Probe::new([Broken(Failure::Unavailable)]);
        let mut service = RetryLayer::new(POLICY).named("broken").layer(probe.clone());
        assert_eq!(service.ready().await.map(|_| ()), Err(Failure::Unavailable));

        let probe: Probe<&str> = Probe::new([Broken(Failure::Refused)]);
        let mut service = RetryLayer::new(POLICY).explain().layer(probe.clone());
        let error: RetryError<Failure> = service.ready().await.map(|_| ()).unwrap_err();
        assert_eq!((error.attempts(), error.slept()), (0, Duration::ZERO));
        assert_eq!(error.into_inner(), Some(Failure::Refused));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_service_that_breaks_before_a_later_attempt_is_a_failure_of_that_attempt() {
    isolated(async {
        for (broken, result, attempts, reason) in [
            (Failure::Unavailable, Ok(7), 3, None),
            (Failure::Refused, Err(Failure::Refused), 2, Some(StopReason::Permanent)),
        ] {
            let probe = Probe::new([T, Broken(broken), Gives(7)]);
            let service = RetryLayer::new(POLICY).layer(probe.clone());
            let (answer, calls) = report(service.oneshot("order 7")).await;
            assert_eq!(answer, result);
            assert_eq!((calls[0].attempts(), calls[0].reason()), (attempts, reason));
        }
    })
    .await;
}

/// Ready once, and never again.
#[derive(Clone)]
struct Busy(bool);

impl Service<()> for Busy {
    type Response = u32;
    type Error = Failure;
    type Future = std::future::Ready<Result<u32, Failure>>;

    fn poll_ready(&mut self, _: &mut std::task::Context<'_>) -> Poll<Result<(), Failure>> {
        if self.0 { Poll::Pending } else { Poll::Ready(Ok(())) }
    }

    fn call(&mut self, (): ()) -> Self::Future {
        self.0 = true;
        std::future::ready(Err(Failure::Unavailable))
    }
}

/// The first one is ready, and none of its clones are.
#[derive(Debug)]
struct FirstOnly(Busy);

impl Clone for FirstOnly {
    fn clone(&self) -> Self {
        Self(Busy(true))
    }
}

impl Service<()> for FirstOnly {
    type Response = u32;
    type Error = Failure;
    type Future = std::future::Ready<Result<u32, Failure>>;

    fn poll_ready(&mut self, task: &mut std::task::Context<'_>) -> Poll<Result<(), Failure>> {
        self.0.poll_ready(task)
    }

    fn call(&mut self, (): ()) -> Self::Future {
        self.0.call(())
    }
}

impl std::fmt::Debug for Busy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0 { "busy" } else { "ready" })
    }
}

#[tokio::test(start_paused = true)]
async fn waiting_for_a_service_counts_against_the_limits_of_an_attempt() {
    isolated(async {
        let begun = tokio::time::Instant::now();
        let service = RetryLayer::new(POLICY)
            .attempt_timeout(Duration::from_millis(100))
            .layer(FirstOnly(Busy(false)));
        let (result, calls) = report(service.oneshot(())).await;
        assert_eq!(result, Err(Failure::TimedOut));
        // Such a timeout counts as one that may have been executed, as all do.
        assert_eq!((calls[0].attempts(), calls[0].reason()), (2, Some(StopReason::MaybeExecuted)));
        assert_eq!(begun.elapsed(), MS10 + Duration::from_millis(100));

        let service = RetryLayer::new(POLICY)
            .deadline(Duration::from_millis(50))
            .layer(FirstOnly(Busy(false)));
        let (result, calls) = report(service.oneshot(())).await;
        assert_eq!(result, Err(Failure::Late));
        assert_eq!(calls[0].reason(), Some(StopReason::DeadlineExceeded));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn nothing_that_was_waited_for_is_held_while_the_call_sleeps() {
    isolated(async {
        let probe = Probe::new([T, Gives(7)]);
        let service = RetryLayer::new(POLICY).layer(probe.clone());
        let mut call = std::pin::pin!(service.oneshot("order 7"));
        poll_fn(|task| Poll::Ready(call.as_mut().poll(task).is_ready())).await;
        assert_eq!((probe.attempts().len(), probe.reserved()), (1, 0));
        tokio::time::advance(MS10 / 2).await;
        poll_fn(|task| Poll::Ready(call.as_mut().poll(task).is_ready())).await;
        assert_eq!((probe.attempts().len(), probe.reserved()), (1, 0));
        assert_eq!(call.await, Ok(7));
        assert_eq!(probe.reserved(), 0);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_dropped_leaves_nothing_reserved_and_counts_as_cancelled() {
    isolated(async {
        // In an attempt, and in a sleep.
        for steps in [vec![T, Hangs], vec![T, T, Gives(7)]] {
            let probe = Probe::new(steps);
            let service = RetryLayer::new(POLICY).layer(probe.clone());
            let time = Duration::from_millis(15);
            let ((), calls) = report(async {
                let call = service.oneshot("order 7");
                assert!(tokio::time::timeout(time, call).await.is_err());
            })
            .await;
            assert_eq!((calls[0].outcome(), probe.reserved()), (Outcome::Cancelled, 0));
        }
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn no_more_clones_are_made_than_attempts_can_follow() {
    isolated(async {
        for (attempts, steps, clones) in [
            // One takes the place of the one that is called.
            (1, vec![Gives(7)], 1),
            (3, vec![Gives(7)], 2),
            (3, vec![T, T, Gives(7)], 3),
        ] {
            let probe = Probe::new(steps);
            let service = RetryLayer::new(POLICY.attempts(attempts)).layer(probe.clone());
            let before = probe.clones();
            assert_eq!(service.oneshot("order 7").await, Ok(7));
            assert_eq!(probe.clones() - before, clones, "{attempts} attempts");
        }
    })
    .await;
}
