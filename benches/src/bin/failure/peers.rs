//! The peers, used as on the success path, with budgets that are rich or empty.

use std::{sync::Arc, time::Duration};

use backon::{ExponentialBuilder, Retryable};
use benches::work::Down;
use layered::{Execute, Service as _, Stack};
use seatbelt::{RecoveryInfo, ResilienceContext};
use tick::Clock;
use tokio_retry2::{
    MapErr, Retry,
    strategy::{ExponentialFactorBackoff, jitter},
};
use tower::{
    Service, ServiceBuilder, ServiceExt,
    retry::{
        Policy,
        backoff::{Backoff, ExponentialBackoff, ExponentialBackoffMaker, MakeBackoff},
        budget::{Budget, TpsBudget},
    },
    service_fn,
    util::rng::HasherRng,
};
use tower_resilience_retry::{ExponentialRandomBackoff, RetryBudgetBuilder, RetryLayer};

use crate::{
    script::scripted,
    subjects::{Subject, run},
};

/// Everything in this file, in the order of the tables.
pub(crate) const ALL: [Subject; 5] = [
    Subject {
        name: "backon",
        peer: Some("backon"),
        rich: Some(run!(|input| {
            (|| body(input)).retry(exponential()).when(Down::is_transient)
        })),
        poor: None,
        waits: true,
    },
    Subject {
        name: "tokio-retry2",
        peer: Some("tokio-retry2"),
        rich: Some(run!(|input| Retry::spawn(delays(), move || async move {
            match body(input).await {
                Err(Down::Permanent) => Err(Down::Permanent).map_permanent_err(),
                other => other.map_transient_err(),
            }
        }))),
        poor: None,
        waits: true,
    },
    Subject {
        name: "tower: retry, `TpsBudget`",
        peer: Some("tower"),
        rich: Some(run!(let mut service = tower_service(TpsBudget::new(
            Duration::from_secs(10), 1_000_000, 1.0,
        )); |input| async { service.ready().await?.call(input).await })),
        poor: Some(run!(let mut service = tower_service(TpsBudget::new(
            Duration::from_secs(10), 0, 0.1,
        )); |input| async { service.ready().await?.call(input).await })),
        waits: true,
    },
    Subject {
        name: "tower-resilience: retry, token bucket",
        peer: Some("tower-resilience-retry"),
        rich: Some(run!(let mut service = resilience_service(1_000_000);
            |input| async { service.ready().await?.call(input).await })),
        poor: Some(run!(let mut service = resilience_service(0);
            |input| async { service.ready().await?.call(input).await })),
        waits: true,
    },
    // Its clock is the system's, which paused time does not move.
    Subject {
        name: "seatbelt: retry",
        peer: Some("seatbelt"),
        rich: Some(run!(let service = seatbelt_service(); |input| service.execute(input))),
        poor: None,
        waits: false,
    },
];

async fn body(input: u64) -> Result<u64, Down> {
    scripted(input)
}

fn exponential() -> ExponentialBuilder {
    ExponentialBuilder::new()
        .with_min_delay(Duration::from_millis(50))
        .with_max_delay(Duration::from_secs(20))
        .with_max_times(2)
        .with_jitter()
}

fn delays() -> impl Iterator<Item = Duration> {
    let delays = ExponentialFactorBackoff::from_millis(50, 2.0);
    delays.max_delay(Duration::from_secs(20)).map(jitter).take(2)
}

#[derive(Clone)]
struct TowerPolicy {
    retries_left: u32,
    backoff: ExponentialBackoff,
    budget: Arc<TpsBudget>,
}

impl Policy<u64, u64, Down> for TowerPolicy {
    type Future = <ExponentialBackoff as Backoff>::Future;

    fn retry(&mut self, _: &mut u64, result: &mut Result<u64, Down>) -> Option<Self::Future> {
        match result {
            Ok(_) => {
                self.budget.deposit();
                None
            }
            Err(error) => {
                if !error.is_transient() || self.retries_left == 0 || !self.budget.withdraw() {
                    return None;
                }
                self.retries_left -= 1;
                Some(self.backoff.next_backoff())
            }
        }
    }

    fn clone_request(&mut self, input: &u64) -> Option<u64> {
        Some(*input)
    }
}

fn tower_service(budget: TpsBudget) -> impl Service<u64, Response = u64, Error = Down> {
    let (min, max) = (Duration::from_millis(50), Duration::from_secs(20));
    let mut backoff = ExponentialBackoffMaker::new(min, max, 0.5, HasherRng::default())
        .expect("bounds and jitter are in range");
    let policy =
        TowerPolicy { retries_left: 2, backoff: backoff.make_backoff(), budget: Arc::new(budget) };
    ServiceBuilder::new().retry(policy).service(service_fn(body))
}

fn resilience_service(tokens: usize) -> impl Service<u64, Response = u64, Error = Down> {
    let backoff = ExponentialRandomBackoff::new(Duration::from_millis(50), 0.5)
        .expect("the factor is in range")
        .max_interval(Duration::from_secs(20));
    let bucket = RetryBudgetBuilder::new()
        .token_bucket()
        .tokens_per_second(0.0)
        .max_tokens(tokens)
        .build()
        .expect("a rate that is finite");
    let retry = RetryLayer::<u64, u64, Down>::builder()
        .max_attempts(3)
        .backoff(backoff)
        .retry_on(Down::is_transient)
        .budget(bucket);
    ServiceBuilder::new().layer(retry.build()).service(service_fn(body))
}

fn seatbelt_service() -> impl layered::Service<u64, Out = Result<u64, Down>> {
    let context = ResilienceContext::new(&Clock::new_tokio()).name("bench");
    let retry = seatbelt::retry::Retry::layer("bench", &context)
        .clone_input()
        .max_retry_attempts(2)
        .base_delay(Duration::from_millis(50))
        .max_delay(Duration::from_secs(20))
        .recovery_with(|result: &Result<u64, Down>, _| match result {
            Err(error) if error.is_transient() => RecoveryInfo::retry(),
            _ => RecoveryInfo::never(),
        });
    (retry, Execute::new(body)).into_service()
}
