//! What sleeps: each subject makes the future of one call, the way its documentation shows.
//!
//! All of them run the same body, make up to three attempts, and wait exponentially with jitter. The
//! budgets are as large as the number of calls, because here all of them are to retry.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use backon::{ExponentialBuilder, Retryable as _};
use scale::work::{Down, work};
use stormless::{Budget, budget, retry};
use tokio_retry2::strategy::{ExponentialFactorBackoff, jitter};
use tower::{
    Service,
    retry::{
        Policy, Retry,
        backoff::{Backoff, ExponentialBackoff, ExponentialBackoffMaker, MakeBackoff},
        budget::{Budget as _, TpsBudget},
    },
    service_fn,
    util::rng::HasherRng,
};
use tower_resilience_retry::{
    ExponentialRandomBackoff, RetryBudget, RetryBudgetBuilder, RetryLayer,
};

use super::driver::{Driver, Outcome};

/// The delay that the peers are given, in milliseconds; stormless has it in its attributes.
static BASE: AtomicU64 = AtomicU64::new(0);

fn base() -> Duration {
    Duration::from_millis(BASE.load(Relaxed))
}

/// An hour: nobody wakes while memory is being read.
const LONG: Duration = Duration::from_hours(1);
/// What a call waits for where it is to wake: longer than they all need to fall asleep, and not so long
/// that the timer's empty turns are seen in the figures.
const fn short(calls: u64) -> Duration {
    Duration::from_secs(if calls > MANY { 8 } else { 1 })
}

/// More calls than this take seconds.
const MANY: u64 = 200_000;

async fn body(call: u64) -> Result<u64, Down> {
    work(call)
}

async fn plain(call: u64) -> Result<u64, Down> {
    let _failed = work(call);
    tokio::time::sleep(base().mul_f64(fastrand::f64())).await;
    work(call)
}

async fn hand_written(call: u64) -> Result<u64, Down> {
    let mut retry = 0;
    loop {
        match body(call).await {
            Err(_) if retry < 2 => {
                let cap = base() * 2_u32.pow(retry);
                tokio::time::sleep(cap.mul_f64(fastrand::f64())).await;
                retry += 1;
            }
            result => return result,
        }
    }
}

async fn with_backon(call: u64) -> Result<u64, Down> {
    let policy = ExponentialBuilder::default()
        .with_min_delay(base())
        .with_max_delay(LONG)
        .with_max_times(2)
        .with_jitter();
    (|| body(call)).retry(policy).sleep(tokio::time::sleep).await
}

async fn with_tokio_retry2(call: u64) -> Result<u64, Down> {
    let base = u64::try_from(base().as_millis()).unwrap_or(u64::MAX);
    let strategy = ExponentialFactorBackoff::from_millis(base, 2.0).map(jitter).take(2);
    let action = || async move { body(call).await.map_err(tokio_retry2::RetryError::transient) };
    tokio_retry2::Retry::spawn(strategy, action).await
}

/// As tower's documentation shows it, with the budget and the backoff that tower brings along.
#[derive(Clone)]
struct TowerPolicy {
    left: u32,
    backoff: ExponentialBackoff<HasherRng>,
    budget: Arc<TpsBudget>,
}

impl Policy<u64, u64, Down> for TowerPolicy {
    type Future = tokio::time::Sleep;

    fn retry(&mut self, _: &mut u64, result: &mut Result<u64, Down>) -> Option<Self::Future> {
        if result.is_ok() {
            self.budget.deposit();
            return None;
        }
        self.left = self.left.checked_sub(1)?;
        self.budget.withdraw().then(|| self.backoff.next_backoff())
    }

    fn clone_request(&mut self, call: &u64) -> Option<u64> {
        Some(*call)
    }
}

/// The policy of one call. A copy of a policy has its random numbers too, and calls that all wait equally long
/// are nothing that jitter is for: so each call has a backoff with a seed of its own.
fn tower_policy(budget: Arc<TpsBudget>) -> TowerPolicy {
    // Its jitter cuts seconds to whole ones, and of one second alone nothing is left: a bit less has jitter.
    let base = base().saturating_sub(Duration::from_millis(1));
    let maker = ExponentialBackoffMaker::new(base, LONG * 2, 0.99, HasherRng::default());
    TowerPolicy { left: 2, backoff: maker.expect("it is valid").make_backoff(), budget }
}

budget! { static LARGE: Budget = Budget::new("large").burst(2_000_000); }

/// The delays of an annotated function: one is for reading memory, two are for waking.
macro_rules! annotated {
    ($($module:ident [$($settings:tt)*] $body:path;)*) => {$(
        mod $module {
            #[allow(unused_imports, reason = "not each of them has the budget")]
            use super::{Down, LARGE, retry};

            #[retry(base = "1h", max = "1h", $($settings)*)]
            pub(super) async fn long(call: u64) -> Result<u64, Down> {
                $body(call).await
            }

            #[retry(base = "8s", max = "8s", $($settings)*)]
            pub(super) async fn seconds(call: u64) -> Result<u64, Down> {
                $body(call).await
            }

            #[retry(base = "1s", max = "1s", $($settings)*)]
            pub(super) async fn second(call: u64) -> Result<u64, Down> {
                $body(call).await
            }
        }
    )*};
}

annotated! {
    budgeted [budget = LARGE] super::body;
    unbudgeted [budget = none] super::body;
    deadlined [budget = LARGE, deadline = "3h", uncut] super::body;
    nested [budget = LARGE] super::budgeted::long;
}

/// The subjects, by what they are called in the table.
pub(super) const NAMES: [&str; 11] = [
    "sleep",
    HAND_WRITTEN,
    "stormless",
    "stormless, budget = none",
    "stormless, deadline",
    "stormless, in two layers",
    "backon",
    "tokio-retry2",
    "tower, TpsBudget",
    "tower-resilience",
    "tower-resilience, token bucket",
];

/// What all others are compared with.
pub(super) const HAND_WRITTEN: &str = "hand-written loop";

/// Puts the calls of one subject to sleep, for long or until they wake.
pub(super) fn run(name: &str, long: bool, driver: Driver) -> Outcome {
    let delay = if long { LONG } else { short(driver.calls) };
    BASE.store(u64::try_from(delay.as_millis()).unwrap_or(u64::MAX), Relaxed);
    macro_rules! stormless {
        ($module:ident) => {
            match driver.calls {
                _ if long => driver.run($module::long),
                0..=MANY => driver.run($module::second),
                _ => driver.run($module::seconds),
            }
        };
    }
    match name {
        "sleep" => driver.run(plain),
        HAND_WRITTEN => driver.run(hand_written),
        "stormless" => stormless!(budgeted),
        "stormless, budget = none" => stormless!(unbudgeted),
        "stormless, deadline" => stormless!(deadlined),
        "stormless, in two layers" => stormless!(nested),
        "backon" => driver.run(with_backon),
        "tokio-retry2" => driver.run(with_tokio_retry2),
        "tower, TpsBudget" => {
            // What is kept for clients that have just started pays for all.
            let budget = Arc::new(TpsBudget::new(Duration::from_secs(10), 200_000, 1.0));
            driver.run(move |call| {
                Retry::new(tower_policy(Arc::clone(&budget)), service_fn(body)).call(call)
            })
        }
        "tower-resilience" => resilient(None, driver),
        "tower-resilience, token bucket" => {
            let tokens = RetryBudgetBuilder::new().token_bucket().max_tokens(2_000_000);
            resilient(Some(tokens.build().expect("it is valid")), driver)
        }
        other => panic!("there is no subject `{other}`"),
    }
}

fn resilient(budget: Option<Arc<dyn RetryBudget>>, driver: Driver) -> Outcome {
    let backoff = ExponentialRandomBackoff::new(base(), 0.5).expect("it is valid");
    let builder = RetryLayer::<u64, u64, Down>::builder().max_attempts(3).backoff(backoff);
    let builder = match budget {
        Some(budget) => builder.budget(budget),
        None => builder,
    };
    let mut service = tower::Layer::layer(&builder.build(), service_fn(body));
    driver.run(move |call| service.call(call))
}
