//! What `docs/migration/tower-retry.md` says of both sides.

use std::{
    future::{Ready, ready},
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use migration::{Calls, Failure, ms};
use stormless::{
    Backoff, Budget, Policy, StopReason, budget, report, testing::isolated, tower::RetryLayer,
};
use tokio::time::{Instant, advance};
use tower::{
    Layer, Service, ServiceExt,
    retry::{
        Policy as TheirPolicy, RetryLayer as TheirLayer,
        backoff::{Backoff as _, ExponentialBackoffMaker, MakeBackoff as _},
        budget::{Budget as _, TpsBudget},
    },
    service_fn,
    util::rng::HasherRng,
};

const OURS: Policy = Policy::new().backoff(Backoff::Fixed).base(ms(1)).attempts(3);

budget! { static FORTY_PERCENT: Budget = Budget::new("migration.forty").burst(10).ratio(0.4); }

/// A request that counts its clones.
#[derive(Debug)]
struct Request(Calls);

impl Clone for Request {
    fn clone(&self) -> Self {
        let _ = self.0.fail(Failure::Down);
        Self(self.0.clone())
    }
}

/// The policy that tower's users write for themselves.
#[derive(Clone)]
struct Attempts {
    left: u32,
    budget: Option<Arc<TpsBudget>>,
}

impl<Q: Clone, R> TheirPolicy<Q, R, Failure> for Attempts {
    type Future = Ready<()>;

    fn retry(&mut self, _: &mut Q, result: &mut Result<R, Failure>) -> Option<Ready<()>> {
        if result.is_ok() {
            if let Some(budget) = &self.budget {
                budget.deposit();
            }
            return None;
        }
        self.left = self.left.checked_sub(1)?;
        self.budget.as_ref().is_none_or(|budget| budget.withdraw()).then(|| ready(()))
    }

    fn clone_request(&mut self, request: &Q) -> Option<Q> {
        Some(request.clone())
    }
}

const TWO_RETRIES: Attempts = Attempts { left: 2, budget: None };

fn down(
    calls: &Calls,
) -> impl Service<Request, Response = u32, Error = Failure, Future: Send> + Clone + Send + 'static {
    let calls = calls.clone();
    service_fn(move |_: Request| ready(calls.fail(Failure::Down)))
}

#[tokio::test(start_paused = true)]
async fn every_attempt_clones_the_request_there_and_the_last_does_not_here() {
    isolated(async {
        let (calls, clones) = (Calls::default(), Calls::default());
        let service = TheirLayer::new(TWO_RETRIES).layer(down(&calls));
        assert_eq!(service.oneshot(Request(clones.clone())).await, Err(Failure::Down));
        assert_eq!((calls.count(), clones.count()), (3, 3));

        let (calls, clones) = (Calls::default(), Calls::default());
        let service = RetryLayer::new(OURS).layer(down(&calls));
        assert_eq!(service.oneshot(Request(clones.clone())).await, Err(Failure::Down));
        assert_eq!((calls.count(), clones.count()), (3, 2));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_request_that_cannot_be_cloned_is_sent_once_by_both() {
    isolated(async {
        let calls = Calls::default();
        let service = RetryLayer::new(OURS).clone_with(|_: &Request| None).layer(down(&calls));
        let (result, reports) = report(service.oneshot(Request(Calls::default()))).await;
        assert_eq!((result, calls.count()), (Err(Failure::Down), 1));
        assert_eq!(reports[0].reason(), Some(StopReason::Unrepeatable));
    })
    .await;
}

/// A service that is not ready the second time that it is asked, and fails when called.
#[derive(Clone, Default)]
struct Tired {
    asked: Calls,
    called: Calls,
}

impl Service<Request> for Tired {
    type Response = u32;
    type Error = Failure;
    type Future = Ready<Result<u32, Failure>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Failure>> {
        let asked = self.asked.succeed_at(2);
        Poll::Ready(asked.map_or(Ok(()), |_| Err(Failure::Down)))
    }

    fn call(&mut self, _: Request) -> Self::Future {
        ready(self.called.fail(Failure::Down))
    }
}

#[tokio::test(start_paused = true)]
async fn an_error_of_readiness_ends_the_call_there_and_is_judged_here() {
    isolated(async {
        let tired = Tired::default();
        let service = TheirLayer::new(TWO_RETRIES).layer(tired.clone());
        let _ = service.oneshot(Request(Calls::default())).await;
        assert_eq!((tired.asked.count(), tired.called.count()), (2, 1));

        let tired = Tired::default();
        let service = RetryLayer::new(OURS).layer(tired.clone());
        let _ = service.oneshot(Request(Calls::default())).await;
        assert_eq!((tired.asked.count(), tired.called.count()), (3, 2));
    })
    .await;
}

/// How long the first delays of a session take.
async fn delays(maker: &mut ExponentialBackoffMaker, count: usize) -> Vec<Duration> {
    let mut session = maker.make_backoff();
    let mut delays = Vec::new();
    for _ in 0..count {
        let begun = Instant::now();
        session.next_backoff().await;
        delays.push(begun.elapsed());
    }
    delays
}

#[tokio::test(start_paused = true)]
async fn jitter_is_the_same_in_all_sessions_of_a_maker_and_none_for_whole_seconds() {
    let mut maker =
        ExponentialBackoffMaker::new(ms(500), ms(10_000), 0.5, HasherRng::default()).unwrap();
    let first = delays(&mut maker, 1).await;
    for _ in 0..20 {
        assert_eq!(delays(&mut maker, 1).await, first);
    }
    let mut maker =
        ExponentialBackoffMaker::new(ms(1_000), ms(10_000), 0.5, HasherRng::default()).unwrap();
    assert_eq!(delays(&mut maker, 1).await, [ms(1_000)]);

    let policy = Policy::new().base(ms(1_000)).attempts(2);
    let firsts: Vec<_> = (0..20).filter_map(|_| policy.delays().next()).collect();
    assert!(firsts.iter().any(|delay| *delay != firsts[0]));
}

#[tokio::test(start_paused = true)]
async fn forty_percent_are_fifty_there_and_forty_here() {
    let theirs = TpsBudget::new(Duration::from_secs(10), 0, 0.4);
    for _ in 0..100 {
        theirs.deposit();
    }
    assert_eq!((0..100).filter(|_| theirs.withdraw()).count(), 50);

    let bound = FORTY_PERCENT.bound();
    assert!((bound.steady_share() - 0.4).abs() < 1e-9);
    assert_eq!(bound.retries(100), Some(50.0), "of which 10 are the burst");
}

#[tokio::test(start_paused = true)]
async fn a_reserve_by_the_second_goes_on_through_an_outage() {
    isolated(async {
        let (calls, attempts) = (Calls::default(), Arc::new(TpsBudget::default()));
        let theirs = TheirLayer::new(Attempts { left: 2, budget: Some(attempts) });
        let ours = RetryLayer::new(OURS).named("migrated");
        let calls_of_ours = Calls::default();
        // 20 requests a second, all failing, for a minute
        for _ in 0..1_200 {
            let _ = theirs.layer(down(&calls)).oneshot(Request(Calls::default())).await;
            let _ = ours.layer(down(&calls_of_ours)).oneshot(Request(Calls::default())).await;
            advance(ms(50)).await;
        }
        assert!(calls.count() > 1_200 + 500, "{}", calls.count());
        assert_eq!(calls_of_ours.count(), 1_210);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn three_layers_are_27_calls_there_and_3_here() {
    isolated(async {
        let calls = Calls::default();
        let theirs = TheirLayer::new(TWO_RETRIES);
        let service = theirs.layer(theirs.layer(theirs.layer(down(&calls))));
        let _ = service.oneshot(Request(Calls::default())).await;
        assert_eq!(calls.count(), 27);

        let calls = Calls::default();
        let ours = RetryLayer::new(OURS);
        let service = ours.clone().layer(ours.clone().layer(ours.layer(down(&calls))));
        let _ = service.oneshot(Request(Calls::default())).await;
        assert_eq!(calls.count(), 3);
    })
    .await;
}
