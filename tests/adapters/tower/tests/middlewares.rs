//! The layer over tower's own middlewares, and their errors.

use std::{io, sync::Arc, time::Duration};

use adapters_tower::{Failure, Probe, Step};
use stormless::{
    Backoff, Classification, Cut, Execution, FailedAttempt, Kind, Policy, RetryError, StopReason,
    report,
    testing::isolated,
    tower::{RetryLayer, classify},
};
use tokio::time::Instant;
use tower::{
    BoxError, Layer, Service, ServiceBuilder, ServiceExt,
    buffer::Buffer,
    limit::{ConcurrencyLimit, RateLimit, rate::Rate},
    load_shed::{LoadShed, error::Overloaded},
    timeout::{Timeout, error::Elapsed},
};

use Step::{Fails, Gives, Hangs, Takes};

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

const POLICY: Policy = Policy::new().backoff(Backoff::Fixed).base(ms(100)).attempts(3);
const T: Step = Fails(Failure::Unavailable);

/// The failure inside a boxed error.
fn inside(error: &BoxError) -> Classification {
    match error.downcast_ref::<Failure>() {
        Some(failure) => stormless::Retryable::classify(failure),
        None => classify(error),
    }
}

#[tokio::test(start_paused = true)]
async fn every_attempt_has_a_slot_of_a_concurrency_limit() {
    isolated(async {
        let probe = Probe::new([T, T, Gives(7)]);
        let service = RetryLayer::new(POLICY).layer(ConcurrencyLimit::new(probe.clone(), 1));
        assert_eq!(service.oneshot("order 7").await, Ok(7));
        assert_eq!(probe.attempts(), [1, 2, 3]);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_call_that_sleeps_leaves_its_slot_to_others() {
    isolated(async {
        let probe = Probe::new([T, Takes(ms(30), 8), Gives(7)]);
        let service = RetryLayer::new(POLICY).layer(ConcurrencyLimit::new(probe.clone(), 1));
        let (asleep, awake) = (service.clone(), service);
        let asleep = tokio::spawn(asleep.oneshot(1));
        let awake = tokio::spawn(async move {
            tokio::time::sleep(ms(10)).await;
            awake.oneshot(2).await
        });
        assert_eq!(awake.await.unwrap(), Ok(8));
        assert_eq!(asleep.await.unwrap(), Ok(7));
        let came: Vec<_> = probe.calls().iter().map(|call| (call.request, call.at)).collect();
        assert_eq!(came, [(1, ms(0)), (2, ms(10)), (1, ms(100))]);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_later_attempt_waits_for_a_slot_that_somebody_else_has() {
    isolated(async {
        let probe = Probe::new([T, Takes(ms(200), 8), Gives(7)]);
        let service = RetryLayer::new(POLICY).layer(ConcurrencyLimit::new(probe.clone(), 1));
        let (first, second) = (service.clone(), service);
        let first = tokio::spawn(first.oneshot(1));
        let second = tokio::spawn(async move {
            tokio::time::sleep(ms(10)).await;
            second.oneshot(2).await
        });
        assert_eq!(first.await.unwrap(), Ok(7));
        assert_eq!(second.await.unwrap(), Ok(8));
        assert_eq!(probe.times(), [ms(0), ms(10), ms(210)]);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn retries_keep_to_a_rate_limit_behind_a_buffer() {
    isolated(async {
        let probe = Probe::new([T, T, Gives(7)]);
        let limited = RateLimit::new(probe.clone(), Rate::new(1, Duration::from_secs(1)));
        let buffered = Buffer::new(limited, 4);
        let service = RetryLayer::new(POLICY).classify(inside).layer(buffered);
        assert_eq!(service.oneshot("order 7").await.unwrap(), 7);
        // Calls are made by the buffer's own task, which is in no attempt.
        let (first, second) = (Duration::from_secs(1), Duration::from_secs(2));
        let second = (second, second + ms(2));
        let times = probe.times();
        assert!(times[1] >= first && times[2] >= second.0 && times[2] <= second.1, "{times:?}");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_service_that_sheds_is_asked_again_after_a_wait_and_its_error_is_local() {
    isolated(async {
        // One call has the only slot for 150 ms.
        let probe = Probe::new([Takes(ms(150), 8), Gives(7)]);
        let limited = LoadShed::new(ConcurrencyLimit::new(probe.clone(), 1));
        let service = RetryLayer::new(POLICY).classify(classify).layer(limited);
        let (first, second) = (service.clone(), service);
        let first = tokio::spawn(first.oneshot(1));
        tokio::task::yield_now().await;
        let (answer, calls) = report(second.oneshot(2)).await;
        assert_eq!(answer.unwrap(), 7);
        let failed: Vec<_> =
            calls[0].failures().iter().map(FailedAttempt::classification).collect();
        let shed = Classification::throttled().local();
        assert_eq!(failed, [shed, shed]);
        assert_eq!(first.await.unwrap().unwrap(), 8);
        assert_eq!(probe.times(), [ms(0), ms(200)]);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_timeout_inside_is_one_of_an_attempt_and_may_have_been_executed() {
    isolated(async {
        let stack = |probe: &Probe<&'static str>, policy: Policy| {
            RetryLayer::new(policy).classify(classify).layer(Timeout::new(probe.clone(), ms(50)))
        };
        let probe = Probe::new([Hangs, Hangs, Gives(7)]);
        let answer = stack(&probe, POLICY.idempotent()).oneshot("order 7").await;
        assert_eq!(answer.unwrap(), 7);
        assert_eq!(probe.times(), [ms(0), ms(150), ms(300)]);

        let probe = Probe::new([Hangs]);
        let (answer, calls) = report(stack(&probe, POLICY).oneshot("order 7")).await;
        assert!(answer.unwrap_err().is::<Elapsed>());
        assert_eq!(calls[0].reason(), Some(StopReason::MaybeExecuted));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_timeout_around_the_layer_is_one_of_the_call() {
    isolated(async {
        let probe = Probe::new([T, T, Gives(7)]);
        let begun = Instant::now();
        let service = ServiceBuilder::new()
            .timeout(ms(150))
            .layer(RetryLayer::new(POLICY))
            .service(probe.clone());
        let (answer, calls) = report(service.oneshot("order 7")).await;
        assert!(answer.unwrap_err().is::<Elapsed>());
        assert_eq!((begun.elapsed(), probe.times()), (ms(150), vec![ms(0), ms(100)]));
        assert_eq!(calls[0].outcome(), stormless::Outcome::Cancelled);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn boxed_errors_can_say_that_stormless_ended_an_attempt() {
    isolated(async {
        let boxed = |probe: Probe<&'static str>| probe.map_err(BoxError::from);
        let service = RetryLayer::new(POLICY)
            .classify(classify)
            .attempt_timeout(ms(50))
            .deadline(ms(70))
            .layer(boxed(Probe::new([Hangs])));
        let error = service.oneshot("order 7").await.unwrap_err();
        assert!(error.is::<stormless::AttemptTimeout>(), "{error}");

        let service = RetryLayer::new(POLICY)
            .classify(classify)
            .deadline(ms(70))
            .layer(boxed(Probe::new([Hangs])));
        let error = service.oneshot("order 7").await.unwrap_err();
        assert!(error.is::<stormless::DeadlineExceeded>(), "{error}");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn an_error_that_cannot_say_so_is_explained_or_made_by_a_function() {
    isolated(async {
        let service = |probe: Probe<&'static str>| probe.map_err(|_| io::ErrorKind::TimedOut);
        let explained =
            RetryLayer::new(POLICY).explain().deadline(ms(70)).layer(service(Probe::new([Hangs])));
        let error: RetryError<io::ErrorKind> = explained.oneshot("order 7").await.unwrap_err();
        assert_eq!((error.attempts(), error.reason()), (1, StopReason::DeadlineExceeded));
        assert!(matches!(error.cut(), Some(Cut::DeadlineExceeded(_))));

        let made = RetryLayer::new(POLICY)
            .cut_error(|_| io::ErrorKind::Interrupted)
            .deadline(ms(70))
            .layer(service(Probe::new([Hangs])));
        assert_eq!(made.oneshot("order 7").await, Err(io::ErrorKind::Interrupted));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn boxed_errors_are_known_by_what_is_in_their_chain() {
    let closed = {
        let (mut buffer, worker) = Buffer::pair(Probe::<&str>::new([]), 1);
        drop(worker);
        buffer.ready().await.map(|_| ()).unwrap_err()
    };
    let wrapped = {
        // An error of the service's readiness is every caller's of the buffer.
        let broken = tower::service_fn(|_: &str| async { Ok::<u32, BoxError>(7) });
        let broken = Buffer::new(Breaking(broken), 1);
        broken.oneshot("order 7").await.unwrap_err()
    };
    assert!(wrapped.is::<tower::buffer::error::ServiceError>(), "{wrapped}");

    let unexecuted = |kind| (kind, Execution::NotExecuted);
    for (error, expected) in [
        (BoxError::from(Elapsed::new()), (Kind::Timeout, Execution::MaybeExecuted)),
        (BoxError::from(Overloaded::new()), unexecuted(Kind::Throttled)),
        (wrapped, unexecuted(Kind::Throttled)),
        (closed, (Kind::Permanent, Execution::MaybeExecuted)),
        (io::Error::from(io::ErrorKind::ConnectionRefused).into(), unexecuted(Kind::Transient)),
        (io::Error::other(Overloaded::new()).into(), unexecuted(Kind::Throttled)),
        (Cut::from(stormless::AttemptTimeout::default()).into(), {
            (Kind::Timeout, Execution::MaybeExecuted)
        }),
        (stormless::BreakerOpen::new(None).into(), unexecuted(Kind::Throttled)),
        ("anything".into(), (Kind::Permanent, Execution::MaybeExecuted)),
    ] {
        let class = classify(&error);
        assert_eq!((class.kind(), class.execution()), expected, "{error:?}");
    }
    assert!(classify(&Overloaded::new().into()).is_local());
}

/// A service that is never ready.
#[derive(Clone, Debug)]
struct Breaking<S>(S);

impl<S: Service<R, Error = BoxError>, R> Service<R> for Breaking<S> {
    type Response = S::Response;
    type Error = BoxError;
    type Future = S::Future;

    fn poll_ready(
        &mut self,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Result<(), BoxError>> {
        std::task::Poll::Ready(Err(Overloaded::new().into()))
    }

    fn call(&mut self, request: R) -> S::Future {
        self.0.call(request)
    }
}

#[tokio::test(start_paused = true)]
async fn a_service_behind_the_layer_can_be_boxed_shared_and_sent() {
    isolated(async {
        const fn is_sent<T: Send + 'static>(_: &T) {}
        let count = Arc::new(std::sync::atomic::AtomicUsize::new(0));
        let told = Arc::clone(&count);
        let layer = RetryLayer::new(POLICY).on_retry(move |event| {
            assert!(event.attempt() < 3 && !event.is_hedge());
            told.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        });
        let boxed = |probe: Probe<&'static str>| {
            tower::util::BoxCloneSyncService::new(layer.clone().layer(probe))
        };
        let service = boxed(Probe::new([T, Gives(7)]));
        is_sent(&service);
        assert_eq!(tokio::spawn(service.clone().oneshot("order 7")).await.unwrap(), Ok(7));
        // One layer, another service.
        assert_eq!(boxed(Probe::new([T, T, T])).oneshot("a").await, Err(Failure::Unavailable));
        assert_eq!(count.load(std::sync::atomic::Ordering::Relaxed), 3);
    })
    .await;
}
