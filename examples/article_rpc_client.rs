//! An RPC client with a retry budget and three rules, rewritten.
//!
//! A bucket of 100 tokens, of which a retry takes 10 and an answered call gives back 1; full jitter
//! from 50 ms to 1 s; 3 retries. The rules: no retry without budget, none past the deadline, and only
//! the outermost layer retries.
//!
//! It prints:
//!
//! ```text
//! 20 calls of a peer that is gone; the budget has 10 retries:
//! article_rpc_client::call
//!   attempt 1: Unavailable (transient, not executed)
//!   stopped after 1 attempt: the retry budget is empty
//!   30 attempts in all, where 4 for each call would be 80
//!
//! A peer answers 50 calls; the budget has 5 retries.
//!
//! Unavailable twice, then an answer:
//! article_rpc_client::call
//!   attempt 1: Unavailable (transient, not executed) -> retry in 15ms
//!   attempt 2: Unavailable (transient, not executed) -> retry in 10ms
//!   attempt 3: ok, slept 25ms
//!
//! An answer that a repeat would not change:
//! article_rpc_client::call
//!   attempt 1: InvalidArgument (permanent, executed)
//!   stopped after 1 attempt: a repeat cannot help
//!
//! Behind another layer, which alone retries:
//! article_rpc_client::handle
//!   attempt 1: Unavailable (transient, not executed) -> retry in 8ms
//!   attempt 2: Unavailable (transient, not executed) -> retry in 62ms
//!   attempt 3: Unavailable (transient, not executed) -> retry in 123ms
//!   attempt 4: Unavailable (transient, not executed)
//!   stopped after 4 attempts, slept 193ms: no attempts left
//!   4 calls of the peer, where two layers of 4 would be 16
//!
//! A call with 50 ms left:
//! article_rpc_client::call
//!   stopped before the first attempt: the next attempt would start too close to the deadline
//!   0 calls of the peer, and the caller gets Err(DeadlineExceeded)
//! ```

use std::{cell::Cell, time::Duration};

use stormless::{Budget, CallReport, Retryable, budget, budgets, deadline, report, retry, testing};

budget! { static RPC: Budget = Budget::tokens("rpc", 100, 10, 1); }

#[derive(Debug, thiserror::Error, Retryable)]
enum RpcError {
    #[error("unavailable")]
    #[retryable(transient)]
    Unavailable,
    #[error("invalid argument")]
    #[retryable(permanent, executed)]
    InvalidArgument,
    #[error("deadline exceeded")]
    #[retryable(deadline_exceeded)]
    DeadlineExceeded,
}

/// Three retries are four attempts. With 50 ms or less left of the caller's time it is not even tried.
#[retry(
    backoff = "full_jitter",
    base = "50ms",
    max = "1s",
    attempts = 4,
    budget = RPC,
    min_remaining = "50ms"
)]
async fn call(peer: &Peer, argument: u32) -> Result<u32, RpcError> {
    peer.halve(argument)
}

/// The layer above retries by the same policy, and leaves two seconds for it all.
#[retry(attempts = 4, budget = RPC, deadline = "2s", min_remaining = "50ms")]
async fn handle(peer: &Peer, argument: u32) -> Result<u32, RpcError> {
    call(peer, argument).await
}

/// Halves even numbers, unless it is unavailable, which it is as often as it is told.
#[derive(Default)]
struct Peer {
    failures: Cell<u32>,
    calls: Cell<u32>,
}

impl Peer {
    fn failing(failures: u32) -> Self {
        Self { failures: Cell::new(failures), calls: Cell::new(0) }
    }

    fn halve(&self, argument: u32) -> Result<u32, RpcError> {
        self.calls.set(self.calls.get() + 1);
        if let Some(left) = self.failures.get().checked_sub(1) {
            self.failures.set(left);
            return Err(RpcError::Unavailable);
        }
        if argument % 2 == 0 { Ok(argument / 2) } else { Err(RpcError::InvalidArgument) }
    }
}

fn balance() -> f64 {
    budgets().get("rpc").map_or(0.0, stormless::BudgetRow::balance)
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    testing::isolated(async {
        testing::seed(1);
        let gone = Peer::failing(u32::MAX);
        println!("20 calls of a peer that is gone; the budget has {} retries:", balance());
        let ((), calls) = report(async {
            for _ in 0..20 {
                // The caller goes on whatever came of it.
                let _ = call(&gone, 6).await;
            }
        })
        .await;
        println!("{}", calls[19]);
        let attempts: u32 = calls.iter().map(CallReport::attempts).sum();
        println!("  {attempts} attempts in all, where 4 for each call would be 80");

        let peer = Peer::default();
        for _ in 0..50 {
            call(&peer, 6).await.expect("the peer is up");
        }
        println!("\nA peer answers 50 calls; the budget has {} retries.", balance());

        println!("\nUnavailable twice, then an answer:");
        let (_, calls) = report(call(&Peer::failing(2), 6)).await;
        println!("{}", calls[0]);

        println!("\nAn answer that a repeat would not change:");
        let (_, calls) = report(call(&peer, 7)).await;
        println!("{}", calls[0]);

        println!("\nBehind another layer, which alone retries:");
        let gone = Peer::failing(u32::MAX);
        let (_, calls) = report(handle(&gone, 6)).await;
        println!("{}", calls.last().expect("`handle` was called"));
        println!("  {} calls of the peer, where two layers of 4 would be 16", gone.calls.get());

        println!("\nA call with 50 ms left:");
        let peer = Peer::default();
        let within = deadline::within(Duration::from_millis(50), report(call(&peer, 6)));
        let (result, calls) = within.await.expect("it ends at once");
        println!("{}", calls[0]);
        println!("  {} calls of the peer, and the caller gets {result:?}", peer.calls.get());
    })
    .await;
}
