//! Peers that wrap a function.

use std::time::Duration;

use backon::{ExponentialBuilder, Retryable};
use backon_macros::backon;
use tokio_retry2::{
    MapErr, Retry,
    strategy::{ExponentialFactorBackoff, jitter},
};

use super::{Subject, bare, subject};
use crate::work::{Down, work};

/// Everything in this file, in the order of the tables.
pub(super) const ALL: [Subject; 3] = [BACKON, BACKON_MACROS, TOKIO_RETRY2];

/// Three attempts: backon counts retries.
const fn exponential() -> ExponentialBuilder {
    ExponentialBuilder::new()
        .with_min_delay(Duration::from_millis(50))
        .with_max_delay(Duration::from_secs(20))
        .with_max_times(2)
        .with_jitter()
}

/// With a predicate, as everybody else looks at the error too.
const BACKON: Subject = subject!("backon", Some("backon"), |input| async move {
    (|| bare(input)).retry(exponential()).when(Down::is_transient).await
});

const BACKON_MACROS: Subject =
    subject!("backon-macros", Some("backon-macros"), |input| annotated(input));

#[backon(backoff = exponential, when = Down::is_transient)]
async fn annotated(input: u64) -> Result<u64, Down> {
    work(input)
}

/// A factor of two from 50 ms on; its `ExponentialBackoff` takes powers of the delay itself.
const TOKIO_RETRY2: Subject = subject!("tokio-retry2", Some("tokio-retry2"), |input| Retry::spawn(
    ExponentialFactorBackoff::from_millis(50, 2.0)
        .max_delay(Duration::from_secs(20))
        .map(jitter)
        .take(2),
    move || async move { bare(input).await.map_transient_err() },
));
