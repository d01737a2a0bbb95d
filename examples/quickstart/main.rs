//! A client of real HTTP servers that misbehave, and what `#[retry]` makes of it.
//!
//! Run it with `cargo run --example quickstart`. It ends by itself after about three seconds; `server.rs` has the
//! servers. The waits are random, so that figures differ from run to run; `…` stands for what each budget
//! promises at worst:
//!
//! ```text
//! A 503, then an answer: retried after a jittered wait.
//!   quickstart::stock
//!     attempt 1: 503 (throttled, not executed) -> retry in 49ms
//!     attempt 2: ok, slept 49ms
//!   -> "12 in stock" after 55 ms
//!
//! A 429 with `Retry-After: 1`: no retry is earlier than that.
//!   quickstart::search
//!     attempt 1: 429 (throttled, not executed, asks for 1s) -> retry in 1.213s
//!     attempt 2: ok, slept 1.213s
//!   -> "3 results" after 1216 ms
//!
//! An answer that takes 5 s: cut after 200 ms and asked again.
//!   quickstart::rating
//!     attempt 1: attempt_timeout (timeout, may have been executed) -> retry in 31ms
//!     attempt 2: ok, slept 31ms
//!   -> "4.6 stars" after 236 ms
//!
//! A 404 is an answer: a repeat would only be load.
//!   quickstart::picture
//!     attempt 1: 404 (permanent, executed)
//!     stopped after 1 attempt: a repeat cannot help
//!   -> the server answered 404 Not Found, after 0 ms
//!
//! A charge, then a reset connection: it may have been carried out.
//!   quickstart::charge
//!     attempt 1: NoAnswer (transient, may have been executed)
//!     stopped after 1 attempt: it may have been carried out, and the function is not `idempotent`
//!   -> no answer: error sending request for url (http://127.0.0.1:46195/charge), after 10 ms
//!
//! The same, `idempotent` by a key that all attempts share.
//!   quickstart::charge_once
//!     attempt 1: NoAnswer (transient, may have been executed) -> retry in 19ms
//!     attempt 2: ok, slept 19ms
//!   -> "charged" after 20 ms
//!   the ledger was sent 3 requests and charged 2 times
//!
//! Nothing but 503, and 400 ms to try: no wait that would not fit.
//!   quickstart::sales
//!     attempt 1: 503 (throttled, not executed) -> retry in 44ms
//!     attempt 2: 503 (throttled, not executed) -> retry in 179ms
//!     attempt 3: 503 (throttled, not executed)
//!     stopped after 3 attempts, slept 223ms: the next attempt would start too close to the deadline
//!   -> the server answered 503 Service Unavailable, after 239 ms
//!
//! 20 calls at once, and nobody listens: 10 retries and no more. One of them:
//!   quickstart::reserve
//!     attempt 1: NoAnswer (transient, not executed) -> retry in 46ms
//!     attempt 2: NoAnswer (transient, not executed)
//!     stopped after 2 attempts, slept 46ms: the retry budget is empty
//!   -> 30 attempts in all, where 3 for each call would have been 60
//!
//! What retries were paid from:
//!
//! budget     balance  taken  refused  given back  sites
//! catalogue  15.4     5      0        0           5
//! ledger     4.1      1      0        0           2
//! warehouse  0.0      10     20       0           1
//!
//! …
//!
//! What happened, function by function:
//!
//! site                     max attempts  budget     failures  retries  recovered  stopped
//! quickstart::charge       3             ledger     1         0        0          1 maybe_executed
//! quickstart::charge_once  3             ledger     1         1        1          -
//! quickstart::picture      3             catalogue  1         0        0          1 permanent
//! quickstart::rating       3             catalogue  1         1        1          -
//! quickstart::reserve      3             warehouse  30        10       0          20 budget_exhausted
//! quickstart::sales        10            catalogue  3         2        0          1 deadline_too_close
//! quickstart::search       3             catalogue  1         1        1          -
//! quickstart::stock        3             catalogue  1         1        1          -
//!
//! `quickstart::charge` stopped at a failure that may have been carried out: add `idempotent` if a
//!   repeat is harmless
//!
//! What somebody should look at:
//!
//! `quickstart::charge` stopped at a failure that may have been carried out:
//!     add `idempotent` if a repeat is harmless
//! ```

mod server;

use std::{error::Error, net::SocketAddr, sync::Arc, time::Duration};

use reqwest::{Client, RequestBuilder, StatusCode};
use stormless::{
    Budget, CallReport, Classification, RetryAfter, Retryable, budget, budgets, current, report,
    retry, sites, verify, warnings,
};
use tokio::{
    task::{JoinError, JoinSet},
    time::Instant,
};

// What retries are paid from, one budget for each dependency. Each starts with `burst` retries, and
// every call that was answered earns `ratio` of another.
budget! {
    static CATALOGUE: Budget = Budget::new("catalogue").burst(20).ratio(0.1);
    static LEDGER: Budget = Budget::new("ledger").burst(5).ratio(0.1);
    static WAREHOUSE: Budget = Budget::new("warehouse").burst(10).ratio(0.1);
}

/// What can go wrong, and what each failure means for a retry.
#[derive(Debug, thiserror::Error, Retryable)]
enum ShopError {
    // 429 and 503 are retried, a 404 is not; the server's `Retry-After` is a floor under the wait.
    #[error("the server answered {status}")]
    #[retryable(forward = status, retry_after = wait)]
    Refused { status: StatusCode, wait: Option<Duration> },

    #[error("no answer: {0}")]
    #[retryable(with = Self::classify_transport)]
    NoAnswer(#[from] reqwest::Error),

    // How an attempt that took too long, or a call that ran out of time, reports itself.
    #[error("too slow")]
    #[retryable(attempt_timeout)]
    TooSlow,
    #[error("out of time")]
    #[retryable(deadline_exceeded)]
    OutOfTime,
}

impl ShopError {
    fn classify_transport(&self) -> Classification {
        match self {
            Self::NoAnswer(error) => classify_reqwest(error),
            _ => Classification::permanent(),
        }
    }
}

/// Kinds decide, never texts. What matters most is whether the request may have been carried out.
fn classify_reqwest(error: &reqwest::Error) -> Classification {
    if error.is_connect() {
        // Asked first, because a connect timeout is a timeout too, of a request that was never sent.
        let late = error.is_timeout();
        if late { Classification::timeout().not_executed() } else { Classification::transient() }
    } else if error.is_timeout() {
        Classification::timeout()
    } else if error.is_request() || error.is_body() || wraps_io(error) {
        // Closed or reset after the request was written: nobody knows how far it got.
        Classification::transient().maybe_executed()
    } else {
        Classification::permanent()
    }
}

/// A body that was cut short looks like one that could not be decoded, but for what is below.
fn wraps_io(error: &dyn Error) -> bool {
    let causes = std::iter::successors(error.source(), |&cause| cause.source());
    causes.take(32).any(<dyn Error>::is::<std::io::Error>)
}

struct Shop {
    client: Client,
    catalogue: SocketAddr,
    ledger: SocketAddr,
    warehouse: SocketAddr,
}

impl Shop {
    /// Three attempts, full jitter from 50 ms: the defaults.
    #[retry(budget = CATALOGUE)]
    async fn stock(&self) -> Result<String, ShopError> {
        send(self.client.get(format!("http://{}/stock", self.catalogue))).await
    }

    #[retry(budget = CATALOGUE)]
    async fn search(&self) -> Result<String, ShopError> {
        send(self.client.get(format!("http://{}/search", self.catalogue))).await
    }

    /// A read may be repeated even where nobody knows whether it was carried out.
    #[retry(budget = CATALOGUE, attempt_timeout = "200ms", idempotent)]
    async fn rating(&self) -> Result<String, ShopError> {
        send(self.client.get(format!("http://{}/rating", self.catalogue))).await
    }

    #[retry(budget = CATALOGUE)]
    async fn picture(&self) -> Result<String, ShopError> {
        send(self.client.get(format!("http://{}/no-such-picture", self.catalogue))).await
    }

    #[retry(budget = LEDGER)]
    async fn charge(&self) -> Result<String, ShopError> {
        send(self.client.post(format!("http://{}/charge", self.ledger))).await
    }

    /// With a key that is the same on all attempts, the ledger knows the repetition as one.
    #[retry(budget = LEDGER, idempotent)]
    async fn charge_once(&self) -> Result<String, ShopError> {
        let request = self.client.post(format!("http://{}/charge", self.ledger));
        let key = current().map(|attempt| attempt.idempotency_key().to_string());
        send(request.header("idempotency-key", key.unwrap_or_default())).await
    }

    #[retry(
        budget = CATALOGUE, attempts = 10, backoff = "equal_jitter", base = "120ms",
        deadline = "400ms", idempotent
    )]
    async fn sales(&self) -> Result<String, ShopError> {
        send(self.client.get(format!("http://{}/report", self.catalogue))).await
    }

    #[retry(budget = WAREHOUSE, backoff = "equal_jitter", base = "200ms")]
    async fn reserve(&self) -> Result<String, ShopError> {
        send(self.client.post(format!("http://{}/reserve", self.warehouse))).await
    }
}

async fn send(request: RequestBuilder) -> Result<String, ShopError> {
    let response = request.send().await?;
    match response.status() {
        status if status.is_success() => Ok(response.text().await?),
        status => {
            let wait = RetryAfter::from_headers(response.headers());
            Err(ShopError::Refused { status, wait })
        }
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    // Fails if a budget is misspelt or declared twice; notes are things that may be meant.
    for note in verify()? {
        println!("note: {note}");
    }
    // reqwest repeats some HTTP/2 requests by itself, up to twice and without a budget. One layer
    // does the retrying, and it is this one.
    let client = Client::builder().retry(reqwest::retry::never()).no_proxy().build()?;
    let (catalogue, ledger) = (server::catalogue().await?, server::ledger().await?);
    let shop = Shop { client, catalogue, ledger, warehouse: server::nobody().await? };

    show("A 503, then an answer: retried after a jittered wait.", shop.stock()).await;
    show("A 429 with `Retry-After: 1`: no retry is earlier than that.", shop.search()).await;
    show("An answer that takes 5 s: cut after 200 ms and asked again.", shop.rating()).await;
    show("A 404 is an answer: a repeat would only be load.", shop.picture()).await;
    show("A charge, then a reset connection: it may have been carried out.", shop.charge()).await;
    show("The same, `idempotent` by a key that all attempts share.", shop.charge_once()).await;
    println!("  the ledger was sent 3 requests and charged {} times", server::charges());
    show("Nothing but 503, and 400 ms to try: no wait that would not fit.", shop.sales()).await;
    storm(shop).await?;

    println!("\nWhat retries were paid from:\n\n{}", budgets());
    println!("\nWhat happened, function by function:\n\n{}", sites());
    println!("\nWhat somebody should look at:\n");
    for warning in warnings() {
        println!("{}", warning.to_string().replace(": ", ":\n    "));
    }
    Ok(())
}

async fn show(title: &str, call: impl Future<Output = Result<String, ShopError>>) {
    let start = Instant::now();
    let (result, calls) = report(call).await;
    let took = start.elapsed().as_millis();
    println!("\n{title}");
    calls.iter().for_each(timeline);
    match result {
        Ok(value) => println!("  -> \"{value}\" after {took} ms"),
        Err(error) => println!("  -> {error}, after {took} ms"),
    }
}

fn timeline(call: &CallReport) {
    println!("  {}", call.to_string().replace('\n', "\n  "));
}

async fn storm(shop: Shop) -> Result<(), JoinError> {
    let shop = Arc::new(shop);
    let mut callers = JoinSet::new();
    for _ in 0..20 {
        let shop = Arc::clone(&shop);
        callers.spawn(async move { report(shop.reserve()).await.1 });
    }
    let mut calls = Vec::new();
    while let Some(reports) = callers.join_next().await {
        calls.extend(reports?);
    }
    let attempts: u32 = calls.iter().map(CallReport::attempts).sum();
    println!("\n20 calls at once, and nobody listens: 10 retries and no more. One of them:");
    calls.last().into_iter().for_each(timeline);
    println!("  -> {attempts} attempts in all, where 3 for each call would have been 60");
    Ok(())
}
