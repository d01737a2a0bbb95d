//! Peers that wrap a service: the service is made once, and each call goes through it.

use std::{sync::Arc, time::Duration};

use layered::{Execute, Service as _, Stack};
use seatbelt::{RecoveryInfo, ResilienceContext};
use tick::Clock;
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

use super::{Subject, bare, subject};
use crate::work::Down;

/// Everything in this file, in the order of the tables.
pub(super) const ALL: [Subject; 4] = [TOWER, RESILIENCE, RESILIENCE_BUDGET, SEATBELT];

const TOWER: Subject = subject!(
    "tower: retry, `TpsBudget`", Some("tower"),
    let mut service = tower_service();
    |input| async { service.ready().await?.call(input).await }
);

/// tower has the parts and leaves the policy to its users: this is the one of its documentation, with
/// its exponential backoff and its budget.
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

fn tower_service() -> impl Service<u64, Response = u64, Error = Down> {
    let (min, max) = (Duration::from_millis(50), Duration::from_secs(20));
    let mut backoff = ExponentialBackoffMaker::new(min, max, 0.5, HasherRng::default())
        .expect("bounds and jitter are in range");
    let policy = TowerPolicy {
        retries_left: 2,
        backoff: backoff.make_backoff(),
        budget: Arc::new(TpsBudget::new(Duration::from_secs(10), 1, 0.1)),
    };
    ServiceBuilder::new().retry(policy).service(service_fn(bare))
}

const RESILIENCE: Subject = subject!(
    "tower-resilience: retry", Some("tower-resilience-retry"),
    let mut service = resilience_service(false);
    |input| async { service.ready().await?.call(input).await }
);

const RESILIENCE_BUDGET: Subject = subject!(
    "tower-resilience: retry, token bucket", Some("tower-resilience-retry"),
    let mut service = resilience_service(true);
    |input| async { service.ready().await?.call(input).await }
);

fn resilience_service(budget: bool) -> impl Service<u64, Response = u64, Error = Down> {
    let backoff = ExponentialRandomBackoff::new(Duration::from_millis(50), 0.5)
        .expect("the factor is in range")
        .max_interval(Duration::from_secs(20));
    let retry = RetryLayer::<u64, u64, Down>::builder()
        .max_attempts(3)
        .backoff(backoff)
        .retry_on(Down::is_transient);
    let retry = if budget {
        let bucket = RetryBudgetBuilder::new().token_bucket().build();
        retry.budget(bucket.expect("the defaults are in range"))
    } else {
        retry
    };
    ServiceBuilder::new().layer(retry.build()).service(service_fn(bare))
}

/// Its clock belongs to a runtime. Jitter is its default.
const SEATBELT: Subject = subject!(
    "seatbelt: retry", Some("seatbelt"),
    let (_runtime, service) = seatbelt_service();
    |input| service.execute(input)
);

fn seatbelt_service()
-> (tokio::runtime::Runtime, impl layered::Service<u64, Out = Result<u64, Down>>) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .expect("a runtime of one thread");
    let clock = {
        let _inside = runtime.enter();
        Clock::new_tokio()
    };
    let context = ResilienceContext::new(&clock).name("bench");
    let retry = seatbelt::retry::Retry::layer("bench", &context)
        .clone_input()
        .max_retry_attempts(2)
        .base_delay(Duration::from_millis(50))
        .max_delay(Duration::from_secs(20))
        .recovery_with(|result: &Result<u64, Down>, _| match result {
            Err(error) if error.is_transient() => RecoveryInfo::retry(),
            _ => RecoveryInfo::never(),
        });
    (runtime, (retry, Execute::new(bare)).into_service())
}
