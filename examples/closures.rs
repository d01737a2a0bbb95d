//! Closures under a policy, where the code is no function of its own: with a name and a budget, with a state
//! that attempts change, with a fallback, and with a say in each delay.
//!
//! It prints:
//!
//! ```text
//! order 7
//! 3 parts, one of each attempt
//! a price of 1.00
//! order 8
//!
//! orders.fetch
//!   attempt 1: Unavailable (transient, not executed) -> retry in 20ms
//!   attempt 2: Unavailable (transient, not executed) -> retry in 20ms
//!   attempt 3: ok, slept 40ms
//!
//! orders.send
//!   attempt 1: Unavailable (transient, not executed) -> retry in 20ms
//!   attempt 2: Unavailable (transient, not executed) -> retry in 20ms
//!   attempt 3: ok, slept 40ms
//!
//! prices
//!   attempt 1: NotFound (permanent, executed)
//!   stopped after 1 attempt: a repeat cannot help
//!
//! orders.patient
//!   attempt 1: Unavailable (transient, not executed) -> retry in 40ms
//!   attempt 2: Unavailable (transient, not executed) -> retry in 40ms
//!   attempt 3: Unavailable (transient, not executed) -> retry in 40ms
//!   attempt 4: ok, slept 120ms
//!
//! budget  balance  taken  refused  given back  sites
//! orders  3.3      7      0        0           3
//!
//! orders: At most 10 retries at once, then 0.1 of a retry for each answered call: retries never exceed
//! 10 + 0.1 x answered calls. In the long run that is at most 1.1 attempts per call, and while nothing
//! is answered there are none once the 10 are spent. Not covered: first attempts, what an enclosing
//! call repeats beside its last failed call, calls with `budget = none`, other processes, and retries
//! inside drivers.
//! site            max attempts  budget  failures  retries  recovered  stopped
//! orders.fetch    3             orders  2         2        1          -
//! orders.patient  5             orders  3         3        1          -
//! orders.send     3             orders  2         2        1          -
//! prices          3             (own)   1         0        0          1 permanent
//! ```

use std::time::Duration;

use stormless::{
    Backoff, Budget, Policy, RetryExt, Retryable, budget, budgets, current, report, sites,
};

budget! {
    /// What retries towards the order service are paid from.
    static ORDERS: Budget = Budget::new("orders").burst(10).ratio(0.1);
}

/// One policy for all of them; a call that wants another number says so.
const POLICY: Policy =
    Policy::new().attempts(3).backoff(Backoff::Fixed).base(Duration::from_millis(20));

#[derive(Debug, thiserror::Error, Retryable)]
enum OrderError {
    #[error("the order service is unavailable")]
    #[retryable(transient)]
    Unavailable,
    #[error("there is no such price")]
    #[retryable(permanent, executed)]
    NotFound,
    #[error("out of time")]
    #[retryable(deadline_exceeded)]
    OutOfTime,
}

/// Answers from the given attempt on.
struct Service {
    from: u32,
}

impl Service {
    async fn order(&self, id: u64) -> Result<u64, OrderError> {
        tokio::time::sleep(Duration::from_millis(1)).await;
        let attempt = current().map_or(1, |attempt| attempt.number());
        if attempt < self.from { Err(OrderError::Unavailable) } else { Ok(id) }
    }

    async fn send(&self, parts: &mut Vec<&'static str>) -> Result<usize, OrderError> {
        parts.push("a part of this attempt");
        self.order(0).await?;
        Ok(parts.len())
    }

    async fn price(&self) -> Result<f64, OrderError> {
        tokio::time::sleep(Duration::from_millis(1)).await;
        Err(OrderError::NotFound)
    }
}

async fn calls() -> Result<(), OrderError> {
    let service = Service { from: 3 };

    // A closure that only borrows, with a budget and a deadline.
    let order = POLICY
        .run(async || service.order(7).await)
        .named("orders.fetch")
        .budget(&ORDERS)
        .deadline(Duration::from_secs(2))
        .await?;
    println!("order {order}");

    // One that changes what is around it: `run_mut`, and `call`.
    let mut parts = Vec::new();
    let sent = POLICY
        .run_mut(async || service.send(&mut parts).await)
        .named("orders.send")
        .budget(&ORDERS)
        .call()
        .await?;
    println!("{sent} parts, one of each attempt");

    // The closure first, and a value that stands in.
    let price =
        (async || service.price().await).retry(POLICY).named("prices").fallback(|_| 1.0).await;
    println!("a price of {price:.2}");

    // A call with more attempts than others, each twice as long.
    let patient = Service { from: 4 };
    let order = POLICY
        .attempts(5)
        .run(async || patient.order(8).await)
        .named("orders.patient")
        .budget("orders")
        .adjust(|_, delay| Some(delay * 2))
        .await?;
    println!("order {order}");
    Ok(())
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() -> Result<(), OrderError> {
    let (result, reports) = report(calls()).await;
    for call in reports {
        println!("\n{call}");
    }
    println!("\n{}", budgets());
    println!("{}", sites());
    result
}
