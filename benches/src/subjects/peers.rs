//! The peers.

use std::time::Duration;

use backon::Retryable;
use backon_macros::backon;
use layered::Service as _;
use tick::Clock;
use tokio::runtime::{Builder, Runtime};
use tokio_retry2::Retry;
use tower::{Service, ServiceExt, retry::budget::TpsBudget};
use tower_resilience_retry::RetryBudgetBuilder;

use super::{Subject, bare, subject};
use crate::{
    policies,
    work::{Down, work},
};

/// Everything in this file, in the order of the tables.
pub(super) const ALL: [Subject; 7] =
    [BACKON, BACKON_MACROS, TOKIO_RETRY2, TOWER, RESILIENCE, RESILIENCE_BUDGET, SEATBELT];

/// With a predicate, as everybody else looks at the error too.
const BACKON: Subject = subject!("backon", Some("backon"), |input| async move {
    (|| bare(input)).retry(policies::backon()).when(Down::is_transient).await
});

const BACKON_MACROS: Subject =
    subject!("backon-macros", Some("backon-macros"), |input| annotated(input));

#[backon(backoff = policies::backon, when = Down::is_transient)]
async fn annotated(input: u64) -> Result<u64, Down> {
    work(input)
}

const TOKIO_RETRY2: Subject = subject!("tokio-retry2", Some("tokio-retry2"), |input| Retry::spawn(
    policies::tokio_retry2(),
    move || async move { policies::for_tokio_retry2(bare(input).await) },
));

// Services are made once, and each call goes through them.

const TOWER: Subject = subject!(
    "tower: retry, `TpsBudget`", Some("tower"),
    let mut service = policies::tower(TpsBudget::new(Duration::from_secs(10), 1, 0.1), bare);
    |input| async { service.ready().await?.call(input).await }
);

const RESILIENCE: Subject = subject!(
    "tower-resilience: retry", Some("tower-resilience-retry"),
    let mut service = policies::tower_resilience(None, bare);
    |input| async { service.ready().await?.call(input).await }
);

const RESILIENCE_BUDGET: Subject = subject!(
    "tower-resilience: retry, token bucket", Some("tower-resilience-retry"),
    let mut service = policies::tower_resilience(
        RetryBudgetBuilder::new().token_bucket().build().ok(),
        bare,
    );
    |input| async { service.ready().await?.call(input).await }
);

const SEATBELT: Subject = subject!(
    "seatbelt: retry", Some("seatbelt"),
    let (_runtime, service) = seatbelt();
    |input| service.execute(input)
);

/// seatbelt's clock belongs to a runtime.
fn seatbelt() -> (Runtime, impl layered::Service<u64, Out = Result<u64, Down>>) {
    let runtime =
        Builder::new_current_thread().enable_time().build().expect("a runtime of one thread");
    let clock = {
        let _inside = runtime.enter();
        Clock::new_tokio()
    };
    (runtime, policies::seatbelt(&clock, bare))
}
