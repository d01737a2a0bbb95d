//! The peers' policies, as their documentation has them: three attempts at most, exponential backoff from
//! 50 ms to 20 s at most, with jitter, for failures that are worth it.

use std::{sync::Arc, time::Duration};

use backon::ExponentialBuilder;
use layered::{Execute, Stack};
use seatbelt::{RecoveryInfo, ResilienceContext};
use tick::Clock;
use tokio_retry2::{
    RetryError,
    strategy::{ExponentialFactorBackoff, jitter},
};
use tower::{
    Service, ServiceBuilder,
    retry::{
        Policy,
        backoff::{Backoff, ExponentialBackoff, ExponentialBackoffMaker, MakeBackoff},
        budget::{Budget, TpsBudget},
    },
    service_fn,
    util::rng::HasherRng,
};
use tower_resilience_retry::{ExponentialRandomBackoff, RetryBudget, RetryLayer};

use crate::work::Down;

const BASE: Duration = Duration::from_millis(50);
const MAX: Duration = Duration::from_secs(20);

/// backon's; it counts retries.
pub const fn backon() -> ExponentialBuilder {
    ExponentialBuilder::new()
        .with_min_delay(BASE)
        .with_max_delay(MAX)
        .with_max_times(2)
        .with_jitter()
}

/// tokio-retry2's. The factor is two; its `ExponentialBackoff` takes powers of the delay itself.
pub fn tokio_retry2() -> impl Iterator<Item = Duration> {
    ExponentialFactorBackoff::from_millis(50, 2.0).max_delay(MAX).map(jitter).take(2)
}

/// What tokio-retry2 wants to know of a failure.
///
/// # Errors
///
/// The body's.
#[inline]
pub fn for_tokio_retry2(result: Result<u64, Down>) -> Result<u64, RetryError<Down>> {
    result.map_err(|error| {
        if error.is_transient() {
            RetryError::transient(error)
        } else {
            RetryError::permanent(error)
        }
    })
}

/// tower has the parts and leaves the policy to its users: this is the one of its documentation, with its
/// exponential backoff and its budget.
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

/// A service with tower's retry.
///
/// # Panics
///
/// Never: the settings are in range.
pub fn tower<B, F>(budget: TpsBudget, body: B) -> impl Service<u64, Response = u64, Error = Down>
where
    B: FnMut(u64) -> F + Clone,
    F: Future<Output = Result<u64, Down>>,
{
    let mut backoff = ExponentialBackoffMaker::new(BASE, MAX, 0.5, HasherRng::default())
        .expect("bounds and jitter are in range");
    let policy =
        TowerPolicy { retries_left: 2, backoff: backoff.make_backoff(), budget: Arc::new(budget) };
    ServiceBuilder::new().retry(policy).service(service_fn(body))
}

/// A service with tower-resilience's retry.
///
/// # Panics
///
/// Never: the settings are in range.
pub fn tower_resilience<B, F>(
    budget: Option<Arc<dyn RetryBudget>>,
    body: B,
) -> impl Service<u64, Response = u64, Error = Down>
where
    B: FnMut(u64) -> F + Clone + Send + 'static,
    F: Future<Output = Result<u64, Down>> + Send + 'static,
{
    let backoff =
        ExponentialRandomBackoff::new(BASE, 0.5).expect("the factor is in range").max_interval(MAX);
    let retry = RetryLayer::<u64, u64, Down>::builder()
        .max_attempts(3)
        .backoff(backoff)
        .retry_on(Down::is_transient);
    let retry = match budget {
        Some(budget) => retry.budget(budget),
        None => retry,
    };
    ServiceBuilder::new().layer(retry.build()).service(service_fn(body))
}

/// A service with seatbelt's retry, which has jitter by default.
pub fn seatbelt<B, F>(
    clock: &Clock,
    body: B,
) -> impl layered::Service<u64, Out = Result<u64, Down>> + use<B, F>
where
    B: Fn(u64) -> F + Send + Sync + 'static,
    F: Future<Output = Result<u64, Down>> + Send + 'static,
{
    let context = ResilienceContext::new(clock).name("bench");
    let retry = seatbelt::retry::Retry::layer("bench", &context)
        .clone_input()
        .max_retry_attempts(2)
        .base_delay(BASE)
        .max_delay(MAX)
        .recovery_with(|result: &Result<u64, Down>, _| match result {
            Err(error) if error.is_transient() => RecoveryInfo::retry(),
            _ => RecoveryInfo::never(),
        });
    (retry, Execute::new(body)).into_service()
}
