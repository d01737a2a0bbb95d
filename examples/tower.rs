//! A layer around a client of `tower`'s: the client and its callers stay as they are.
//!
//! It prints:
//!
//! ```text
//! Busy twice.
//!     attempt 1 sends Read("order 7")
//!     attempt 2 sends Read("order 7")
//!     attempt 3 sends Read("order 7")
//! store
//!   attempt 1: _OTHER (throttled, not executed) -> retry in 34ms
//!   attempt 2: _OTHER (throttled, not executed) -> retry in 16ms
//!   attempt 3: ok, slept 50ms
//!   the caller gets: order 7 is there
//!
//! An upload, which cannot be sent twice.
//!     attempt 1 sends Upload("picture 3")
//! store
//!   attempt 1: _OTHER (throttled, not executed)
//!   stopped after 1 attempt: it cannot be done twice
//!   the caller gets: the store is busy
//!
//! A write whose answer is lost.
//!     attempt 1 sends Write("order 8")
//! store
//!   attempt 1: _OTHER (transient, may have been executed)
//!   stopped after 1 attempt: it may have been carried out, and the function is not `idempotent`
//!   the caller gets: the connection broke
//!
//! budget  balance  taken  refused  given back  sites
//! store   8.1      2      0        0           1
//!
//! store: At most 10 retries at once, then 0.1 of a retry for each answered call: retries never exceed
//! 10 + 0.1 x answered calls. In the long run that is at most 1.1 attempts per call, and while nothing
//! is answered there are none once the 10 are spent. Not covered: first attempts, what an enclosing
//! call repeats beside its last failed call, calls with `budget = none`, other processes, and retries
//! inside drivers.
//! ```

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use stormless::{
    Budget, Policy, Retryable, budget, budgets, current, report, testing,
    tower::{PerRequest, RetryLayer},
};
use tower::{BoxError, Service, ServiceBuilder, ServiceExt};

budget! {
    /// What retries towards the store are paid from.
    static STORE: Budget = Budget::new("store").burst(10).ratio(0.1);
}

const POLICY: Policy =
    Policy::new().attempts(3).base(Duration::from_millis(50)).max(Duration::from_secs(1));

#[derive(Debug, thiserror::Error, Retryable)]
enum StoreError {
    #[error("the store is busy")]
    #[retryable(throttled)]
    Busy,
    #[error("the connection broke")]
    #[retryable(transient, maybe_executed)]
    Broken,
}

/// Not `Clone`: an upload is read while it is sent.
#[derive(Debug)]
enum Request {
    Read(&'static str),
    Write(&'static str),
    Upload(&'static str),
}

impl Request {
    fn again(&self) -> Option<Self> {
        match self {
            Self::Read(key) => Some(Self::Read(key)),
            Self::Write(key) => Some(Self::Write(key)),
            Self::Upload(_) => None,
        }
    }
}

/// Stands for a client from elsewhere. It fails so many times.
#[derive(Clone)]
struct Client {
    failures: Arc<AtomicU32>,
}

impl Service<Request> for Client {
    type Response = String;
    type Error = StoreError;
    type Future = std::future::Ready<Result<String, StoreError>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), StoreError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let attempt = current().map_or(0, |attempt| attempt.number());
        println!("    attempt {attempt} sends {request:?}");
        let less = |failures: u32| failures.checked_sub(1);
        let is_failing = self.failures.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        std::future::ready(match (is_failing, request) {
            (Ok(_), Request::Write(_)) => Err(StoreError::Broken),
            (Ok(_), _) => Err(StoreError::Busy),
            (Err(_), Request::Read(key) | Request::Write(key) | Request::Upload(key)) => {
                Ok(format!("{key} is there"))
            }
        })
    }
}

/// What is in an error that tower's layers have boxed.
fn classify(error: &BoxError) -> stormless::Classification {
    match error.downcast_ref::<StoreError>() {
        Some(error) => error.classify(),
        None => stormless::tower::classify(error),
    }
}

/// The client as the whole program has it.
fn decorated(client: Client) -> impl Service<Request, Response = String, Error = BoxError> {
    ServiceBuilder::new()
        .layer(
            RetryLayer::new(POLICY)
                .named("store")
                .budget(&STORE)
                .classify(classify)
                .deadline(Duration::from_secs(2))
                .clone_with(Request::again)
                .per_request(|request: &Request, call: &mut PerRequest| {
                    let is_read = matches!(request, Request::Read(_));
                    call.set_policy(call.policy().idempotent_if(is_read));
                }),
        )
        // Of each attempt, since they are inside.
        .timeout(Duration::from_millis(500))
        .concurrency_limit(8)
        .service(client)
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    testing::isolated(async {
        testing::seed(1);
        println!("Busy twice.");
        show(2, Request::Read("order 7")).await;
        println!("\nAn upload, which cannot be sent twice.");
        show(1, Request::Upload("picture 3")).await;
        println!("\nA write whose answer is lost.");
        show(1, Request::Write("order 8")).await;
        println!("\n{}", budgets());
    })
    .await;
}

async fn show(failures: u32, request: Request) {
    let client = decorated(Client { failures: Arc::new(AtomicU32::new(failures)) });
    let (result, calls) = report(client.oneshot(request)).await;
    for call in calls {
        println!("{call}");
    }
    match result {
        Ok(answer) => println!("  the caller gets: {answer}"),
        Err(error) => println!("  the caller gets: {error}"),
    }
}
