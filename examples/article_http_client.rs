//! The retry interceptor of a Go HTTP client, rewritten.
//!
//! What it does there by hand: full jitter; retries only after a lost connection, a timeout, 429 and
//! 503; at most 10 % of the requests of the last 60 s, not limited below 20 requests; and the failed
//! response is closed before the wait, so that its connection is not held through it.
//!
//! It prints:
//!
//! ```text
//! A 503, a lost connection, an answer:
//!     0 ms  request 1: 503
//!     0 ms  response closed
//!    34 ms  request 2: connection lost
//!    50 ms  request 3: 200
//!    50 ms  response closed
//! article_http_client::get
//!   attempt 1: Refused (throttled, not executed) -> retry in 34ms
//!   attempt 2: ConnectionLost (transient, may have been executed) -> retry in 16ms
//!   attempt 3: ok, slept 50ms
//!
//! A 404:
//!     0 ms  request 1: 404
//!     0 ms  response closed
//! article_http_client::get
//!   attempt 1: Refused (permanent, executed)
//!   stopped after 1 attempt: a repeat cannot help
//!
//! 200 calls within 20 s to a server that answers nothing but 503:
//!   222 attempts, of which 22 were retries
//!
//! budget     balance  taken  refused  given back  sites
//! catalogue  0.0      24     194      0           1
//!
//! catalogue: When one is granted, retries are at most 10 % of the attempts of the last 60s, answered
//! or not, except that up to 19 in that time are let through while there are fewer than 20 attempts.
//! Where the share applies that is at most 1.112 attempts per call, and the retries go on while nothing
//! is answered. Not covered: first attempts, what an enclosing call repeats beside its last failed
//! call, calls with `budget = none`, other processes, and retries inside drivers.
//! ```

use std::{cell::Cell, time::Duration};

use stormless::{Budget, CallReport, Retryable, budget, budgets, report, retry, testing};
use tokio::time::{Instant, sleep};

budget! {
    /// The same numbers are the default of `sliding_window`; they are written out to be seen.
    static CATALOGUE: Budget = Budget::sliding_window("catalogue")
        .ratio(0.1)
        .window(Duration::from_secs(60))
        .min_samples(20);
}

#[derive(Debug, thiserror::Error, Retryable)]
enum HttpError<'a> {
    #[error("connection lost")]
    #[retryable(transient, maybe_executed)]
    ConnectionLost,
    /// Holds the whole response, as a client's error may: it is dropped before the wait.
    #[error("status {status}")]
    #[retryable(status = status)]
    Refused { status: u16, response: Response<'a> },
}

/// `idempotent`, because a GET may be repeated where nobody knows whether it was carried out.
#[retry(
    backoff = "full_jitter",
    base = "50ms",
    max = "1s",
    attempts = 3,
    budget = CATALOGUE,
    idempotent
)]
async fn get(server: &Server) -> Result<u16, HttpError<'_>> {
    let response = server.get().ok_or(HttpError::ConnectionLost)?;
    match response.status {
        200 => Ok(200),
        status => Err(HttpError::Refused { status, response }),
    }
}

/// Answers with what the script says, and then always with the last of it. 0 is a lost connection.
#[derive(Debug)]
struct Server {
    script: &'static [u16],
    requests: Cell<usize>,
    start: Instant,
    quiet: bool,
}

impl Server {
    fn new(script: &'static [u16], quiet: bool) -> Self {
        Self { script, requests: Cell::new(0), start: Instant::now(), quiet }
    }

    fn get(&self) -> Option<Response<'_>> {
        let request = self.requests.replace(self.requests.get() + 1);
        let status = *self.script.get(request).or(self.script.last())?;
        if status == 0 {
            self.log(format_args!("request {}: connection lost", request + 1));
            return None;
        }
        self.log(format_args!("request {}: {status}", request + 1));
        Some(Response { status, server: self })
    }

    fn log(&self, what: std::fmt::Arguments<'_>) {
        if !self.quiet {
            println!("  {:3} ms  {what}", self.start.elapsed().as_millis());
        }
    }
}

#[derive(Debug)]
struct Response<'a> {
    status: u16,
    server: &'a Server,
}

impl Drop for Response<'_> {
    fn drop(&mut self) {
        self.server.log(format_args!("response closed"));
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    testing::isolated(async {
        testing::seed(1);
        println!("A 503, a lost connection, an answer:");
        let server = Server::new(&[503, 0, 200], false);
        let (_, calls) = report(get(&server)).await;
        println!("{}", calls[0]);

        println!("\nA 404:");
        let server = Server::new(&[404], false);
        let (_, calls) = report(get(&server)).await;
        println!("{}", calls[0]);

        println!("\n200 calls within 20 s to a server that answers nothing but 503:");
        sleep(Duration::from_secs(60)).await;
        let server = Server::new(&[503], true);
        let ((), calls) = report(async {
            for _ in 0..200 {
                // The caller goes on whatever came of it.
                let _ = get(&server).await;
                sleep(Duration::from_millis(100)).await;
            }
        })
        .await;
        let attempts: u32 = calls.iter().map(CallReport::attempts).sum();
        println!(
            "  {attempts} attempts, of which {} were retries",
            attempts as usize - calls.len()
        );
        println!("\n{}", budgets());
    })
    .await;
}
