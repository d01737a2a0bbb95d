//! An error type that is not yours: `classify` says what its values mean.
//!
//! It prints:
//!
//! ```text
//! Unreachable, then told to wait for 2 s, then paid.
//! third_party_error::pay
//!   attempt 1: _OTHER (transient, not executed) -> retry in 34ms
//!   attempt 2: _OTHER (throttled, not executed, asks for 2s) -> retry in 2.076s
//!   attempt 3: ok, slept 2.11s
//!
//! Declined.
//! third_party_error::pay
//!   attempt 1: _OTHER (permanent, executed)
//!   stopped after 1 attempt: a repeat cannot help
//!   the caller gets Error { code: 40, wait_seconds: None }
//!
//! Connection lost, on a payment and on a question.
//! third_party_error::pay
//!   attempt 1: _OTHER (transient, may have been executed)
//!   stopped after 1 attempt: it may have been carried out, and the function is not `idempotent`
//!   the caller gets Error { code: 21, wait_seconds: None }
//! third_party_error::balance
//!   attempt 1: _OTHER (transient, may have been executed) -> retry in 11ms
//!   attempt 2: ok, slept 11ms
//! ```

use std::{cell::Cell, time::Duration};

use stormless::{Classification, report, retry, testing};

/// Stands for a crate from elsewhere, whose error knows nothing of retries.
mod payments {
    #[derive(Debug)]
    pub(crate) struct Error {
        pub(crate) code: u16,
        pub(crate) wait_seconds: Option<u64>,
    }

    pub(crate) const RATE_LIMITED: u16 = 17;
    pub(crate) const UNREACHABLE: u16 = 20;
    pub(crate) const CONNECTION_LOST: u16 = 21;
    pub(crate) const CARD_DECLINED: u16 = 40;
}

/// Written once, named by every function that calls the crate.
fn classify(error: &payments::Error) -> Classification {
    match error.code {
        payments::RATE_LIMITED => {
            let throttled = Classification::throttled();
            match error.wait_seconds {
                Some(seconds) => throttled.retry_after(Duration::from_secs(seconds)),
                None => throttled,
            }
        }
        payments::UNREACHABLE => Classification::transient(),
        // The request may have arrived. Only an `idempotent` function repeats it.
        payments::CONNECTION_LOST => Classification::transient().maybe_executed(),
        // An answer of the service: no retry, and a sign that it is alive.
        payments::CARD_DECLINED => Classification::permanent().executed(),
        // What a later version adds is not retried before somebody has looked at it.
        _ => Classification::permanent(),
    }
}

#[retry(classify = classify)]
async fn pay(script: &Script) -> Result<&'static str, payments::Error> {
    script.next()
}

#[retry(classify = classify, idempotent)]
async fn balance(script: &Script) -> Result<&'static str, payments::Error> {
    script.next()
}

/// The codes with which the first calls fail.
struct Script {
    codes: &'static [u16],
    calls: Cell<usize>,
}

impl Script {
    const fn new(codes: &'static [u16]) -> Self {
        Self { codes, calls: Cell::new(0) }
    }

    fn next(&self) -> Result<&'static str, payments::Error> {
        let call = self.calls.replace(self.calls.get() + 1);
        match self.codes.get(call) {
            Some(&code) => Err(payments::Error { code, wait_seconds: (code == 17).then_some(2) }),
            None => Ok("paid"),
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    testing::isolated(async {
        testing::seed(1);
        println!("Unreachable, then told to wait for 2 s, then paid.");
        show(pay(&Script::new(&[payments::UNREACHABLE, payments::RATE_LIMITED]))).await;
        println!("\nDeclined.");
        show(pay(&Script::new(&[payments::CARD_DECLINED]))).await;
        println!("\nConnection lost, on a payment and on a question.");
        show(pay(&Script::new(&[payments::CONNECTION_LOST]))).await;
        show(balance(&Script::new(&[payments::CONNECTION_LOST]))).await;
    })
    .await;
}

async fn show(call: impl Future<Output = Result<&'static str, payments::Error>>) {
    let (result, calls) = report(call).await;
    for call in calls {
        println!("{call}");
    }
    if let Err(error) = result {
        println!("  the caller gets {error:?}");
    }
}
