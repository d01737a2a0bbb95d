//! The published algorithms under calls.

use std::{pin::pin, time::Duration};

use crate::bodies::{Answer, Dependency, P, PE, T, assert_balance};
use futures_util::FutureExt;
use stormless::{Budget, Policy, Retryable, budget, report, retry, testing::isolated};

budget! {
    static AWS: Budget = Budget::aws_standard("presets.aws");
    static GRPC: Budget = Budget::grpc_throttling("presets.grpc", 10, 0.1);
    static FINAGLE: Budget = Budget::finagle_per_request("presets.finagle").reserve(0);
    static SUCCESSES: Budget = Budget::finagle_per_success("presets.successes").reserve(0);
    static ENVOY: Budget = Budget::envoy("presets.envoy").min_concurrency(1);
    static SRE: Budget = Budget::sre_throttling("presets.sre");
}

macro_rules! calls {
    ($($name:ident: $budget:ident;)+) => {$(
        #[retry(attempts = 3, backoff = "none", budget = $budget)]
        async fn $name(dependency: &Dependency) -> Answer {
            dependency.answer()
        }
    )+};
}

calls! {
    aws: AWS;
    grpc: GRPC;
    finagle: FINAGLE;
    successes: SUCCESSES;
    sre: SRE;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Retryable)]
enum Refused {
    #[retryable(transient)]
    Down,
    #[retryable(throttled)]
    SlowDown,
}

#[retry(policy = Policy::aws_standard(), budget = AWS)]
async fn service(failures: &[Refused]) -> Result<(), Refused> {
    let attempt = stormless::current().expect("an attempt is running").number();
    failures.get(attempt as usize - 1).map_or(Ok(()), |failure| Err(*failure))
}

#[tokio::test(start_paused = true)]
async fn aws_prices_refunds_and_delays_hold_for_calls() {
    isolated(async {
        let tokens = |tokens: f64| assert_balance("presets.aws", tokens / 14.0);
        assert_eq!(aws(&Dependency::dead()).await, Err(T));
        tokens(472.0);
        assert_eq!(aws(&Dependency::script([Err(T), Ok(())])).await, Ok(()));
        tokens(472.0);
        assert_eq!(aws(&Dependency::always(Ok(()))).await, Ok(()));
        tokens(473.0);
        assert_eq!(aws(&Dependency::always(Err(PE))).await, Err(PE));
        tokens(473.0);
        stormless::testing::jitter(stormless::testing::Jitter::Highest);
        let (result, calls) =
            report(service(&[Refused::SlowDown, Refused::Down, Refused::Down])).await;
        assert_eq!(result, Err(Refused::Down));
        let delays: Vec<_> = calls[0].delays().collect();
        assert_eq!(delays, [Duration::from_secs(1), Duration::from_millis(100)]);
        tokens(473.0 - 5.0 - 14.0);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn grpc_counts_each_failed_attempt() {
    isolated(async {
        let above_half = |tokens: f64| assert_balance("presets.grpc", tokens);
        assert_eq!(grpc(&Dependency::dead()).await, Err(T));
        above_half(2.0);
        assert_eq!(grpc(&Dependency::always(Err(P))).await, Err(P));
        above_half(2.0);
        let dead = Dependency::dead();
        assert_eq!(grpc(&dead).await, Err(T));
        assert_eq!(dead.bodies(), 2);
        above_half(0.0);
        for _ in 0..11 {
            assert_eq!(grpc(&Dependency::always(Ok(()))).await, Ok(()));
        }
        above_half(1.1);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn finagle_earns_by_requests_or_by_successes() {
    isolated(async {
        for (failing, fifth) in [(true, 0), (true, 1), (false, 1)] {
            for _ in 0..4 {
                assert_eq!(finagle(&Dependency::always(Err(P))).await, Err(P));
                assert_eq!(successes(&Dependency::always(Err(P))).await, Err(P));
                if !failing {
                    assert_eq!(successes(&Dependency::always(Ok(()))).await, Ok(()));
                }
            }
            // The fifth request pays for its own retry.
            let (by_request, by_success) = (Dependency::dead(), Dependency::dead());
            assert_eq!(finagle(&by_request).await, Err(T));
            assert_eq!(successes(&by_success).await, Err(T));
            assert_eq!((by_request.bodies(), by_success.bodies()), (2, 1), "{failing} {fifth}");
        }
        assert_eq!(successes(&Dependency::always(Ok(()))).await, Ok(()));
        let dead = Dependency::dead();
        assert_eq!(successes(&dead).await, Err(T));
        assert_eq!(dead.bodies(), 2);
    })
    .await;
}

#[retry(attempts = 3, backoff = "fixed", base = "10s", budget = ENVOY)]
async fn envoy(dependency: &Dependency) -> Answer {
    tokio::time::sleep(Duration::from_secs(1)).await;
    dependency.answer()
}

#[tokio::test(start_paused = true)]
async fn envoy_counts_calls_and_retries_for_as_long_as_they_are_under_way() {
    isolated(async {
        let dead = Dependency::dead();
        {
            let mut first = pin!(envoy(&dead));
            assert!(first.as_mut().now_or_never().is_none());
            tokio::time::advance(Duration::from_secs(2)).await;
            assert!(first.as_mut().now_or_never().is_none());
            // It waits for its retry, the one that is always free.
            assert_balance("presets.envoy", 0.0);
            let other = Dependency::dead();
            assert_eq!(envoy(&other).await, Err(T));
            assert_eq!(other.bodies(), 1);
            // With ten calls under way a fifth of them may retry.
            let many: Vec<Dependency> = (0..9).map(|_| Dependency::dead()).collect();
            let mut all = pin!(futures_util::future::join_all(many.iter().map(envoy)));
            assert!(all.as_mut().now_or_never().is_none());
            assert_balance("presets.envoy", 1.0);
        }
        // Dropped in the wait or in the attempt, nothing is left behind.
        assert_balance("presets.envoy", 1.0);
        assert_eq!(envoy(&Dependency::script([Err(T), Err(T), Ok(())])).await, Ok(()));
        assert_balance("presets.envoy", 1.0);
        {
            let mut running = pin!(envoy(&dead));
            for _ in 0..13 {
                assert!(running.as_mut().now_or_never().is_none());
                tokio::time::advance(Duration::from_secs(1)).await;
            }
            assert_balance("presets.envoy", 0.0);
        }
        assert_balance("presets.envoy", 1.0);
        let dead = Dependency::dead();
        assert_eq!(envoy(&dead).await, Err(T));
        assert_eq!(dead.bodies(), 3);
        assert_balance("presets.envoy", 1.0);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn the_chance_to_be_shed_follows_from_what_calls_saw() {
    isolated(async {
        let budget = crate::bodies::budget("presets.sre").budget();
        for _ in 0..3 {
            assert_eq!(sre(&Dependency::dead()).await, Err(T));
        }
        let _ = sre(&Dependency::always(Err(PE))).await;
        assert_eq!(sre(&Dependency::always(Ok(()))).await, Ok(()));
        // 9 failed attempts, an answer and a success.
        let now = stormless::engine::Moment::from_nanos(0);
        let chance = budget.shed_chance(now);
        assert!((chance - (11.0 - 4.0) / 12.0).abs() < 1e-12, "{chance}");
    })
    .await;
}
