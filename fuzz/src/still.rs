//! Time that stands still: two reads of one input see the same moment.

use std::future::Future;

use tokio::runtime::{Builder, Runtime};

thread_local! {
    static RUNTIME: Runtime =
        Builder::new_current_thread().enable_time().start_paused(true).build().expect("it has all it needs");
}

/// Runs a future, in paused time.
pub(crate) fn run<F: Future>(future: F) -> F::Output {
    RUNTIME.with(|runtime| runtime.block_on(future))
}
