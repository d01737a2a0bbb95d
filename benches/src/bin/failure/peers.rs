//! The peers, with the policies of the success path and budgets that are rich or empty.

use std::{sync::Arc, time::Duration};

use backon::Retryable;
use benches::{policies, work::Down};
use layered::Service as _;
use tick::Clock;
use tokio_retry2::Retry;
use tower::{Service, ServiceExt, retry::budget::TpsBudget};
use tower_resilience_retry::{RetryBudget, RetryBudgetBuilder};

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
            (|| body(input)).retry(policies::backon()).when(Down::is_transient)
        })),
        poor: None,
        waits: true,
    },
    Subject {
        name: "tokio-retry2",
        peer: Some("tokio-retry2"),
        rich: Some(run!(|input| Retry::spawn(policies::tokio_retry2(), move || async move {
            policies::for_tokio_retry2(body(input).await)
        }))),
        poor: None,
        waits: true,
    },
    Subject {
        name: "tower: retry, `TpsBudget`",
        peer: Some("tower"),
        rich: Some(run!(let mut service = policies::tower(window(1_000_000, 1.0), body);
            |input| async { service.ready().await?.call(input).await })),
        poor: Some(run!(let mut service = policies::tower(window(0, 0.1), body);
            |input| async { service.ready().await?.call(input).await })),
        waits: true,
    },
    Subject {
        name: "tower-resilience: retry, token bucket",
        peer: Some("tower-resilience-retry"),
        rich: Some(run!(let mut service = policies::tower_resilience(bucket(1_000_000), body);
            |input| async { service.ready().await?.call(input).await })),
        poor: Some(run!(let mut service = policies::tower_resilience(bucket(0), body);
            |input| async { service.ready().await?.call(input).await })),
        waits: true,
    },
    // Its clock is the system's, which paused time does not move.
    Subject {
        name: "seatbelt: retry",
        peer: Some("seatbelt"),
        rich: Some(run!(let service = policies::seatbelt(&Clock::new_tokio(), body);
            |input| service.execute(input))),
        poor: None,
        waits: false,
    },
];

async fn body(input: u64) -> Result<u64, Down> {
    scripted(input)
}

fn window(min_per_second: u32, share: f32) -> TpsBudget {
    TpsBudget::new(Duration::from_secs(10), min_per_second, share)
}

/// Without a refill by time, so that an empty bucket stays empty.
fn bucket(tokens: usize) -> Option<Arc<dyn RetryBudget>> {
    let bucket = RetryBudgetBuilder::new().token_bucket().tokens_per_second(0.0);
    bucket.max_tokens(tokens).build().ok()
}
