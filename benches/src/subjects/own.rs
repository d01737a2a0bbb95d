//! The bare call, the loop that one would write by hand, and stormless.

use std::time::Duration;

use stormless::{Budget, RetryError, budget, retry};

use super::{Subject, bare, blocking, subject};
use crate::{
    drive::wait_once,
    work::{Down, work},
};

/// Everything in this file, in the order of the tables.
pub(super) const ALL: [Subject; 15] = [
    BARE,
    HAND,
    OWN,
    STATIC,
    NAMED,
    NONE,
    NESTED,
    FULL,
    RECORD,
    WINDOW,
    WAITS_BARE,
    WAITS_HAND,
    WAITS_OWN,
    BARE_BLOCKING,
    BLOCKING,
];

budget! {
    static DECLARED: Budget = Budget::new("bench.declared");
    static BY_NAME: Budget = Budget::new("bench.named");
    static RECENT: Budget = Budget::sliding_window("bench.window");
}

/// No retry at all.
pub const BARE: Subject = subject!("bare async fn", None, |input| bare(input));

/// What one would write without a library, with nothing that it could do without.
pub const HAND: Subject = subject!("hand-written loop", None, |input| by_hand(input));

async fn by_hand(input: u64) -> Result<u64, Down> {
    let mut limit = Duration::from_millis(50);
    let mut attempt = 1;
    loop {
        match work(input) {
            Ok(value) => return Ok(value),
            Err(error) if attempt == 3 || !error.is_transient() => return Err(error),
            Err(_) => {
                tokio::time::sleep(limit.mul_f64(fastrand::f64())).await;
                limit = (limit * 2).min(Duration::from_secs(20));
                attempt += 1;
            }
        }
    }
}

/// The attribute with its defaults: three attempts, full jitter, a bucket of the function's own.
pub const OWN: Subject = subject!("stormless: own budget", None, |input| own(input));

#[retry]
async fn own(input: u64) -> Result<u64, Down> {
    work(input)
}

/// A budget that is a static.
pub const STATIC: Subject = subject!("stormless: static budget", None, |input| declared(input));

#[retry(budget = DECLARED)]
async fn declared(input: u64) -> Result<u64, Down> {
    work(input)
}

/// A budget by its name.
pub const NAMED: Subject = subject!("stormless: named budget", None, |input| named(input));

#[retry(budget = "bench.named")]
async fn named(input: u64) -> Result<u64, Down> {
    work(input)
}

const NONE: Subject = subject!("stormless: `budget = none`", None, |input| unbudgeted(input));

#[retry(budget = none)]
async fn unbudgeted(input: u64) -> Result<u64, Down> {
    work(input)
}

/// Two annotated calls for one body.
const NESTED: Subject = subject!("stormless: own inside own", None, |input| outer(input));

#[retry]
async fn outer(input: u64) -> Result<u64, Down> {
    inner(input).await
}

// Not the one above: a function that is called from two places is inlined in neither.
#[retry]
async fn inner(input: u64) -> Result<u64, Down> {
    work(input)
}

/// Two annotated calls again: the inner one inherits the deadline and runs under both budgets.
const FULL: Subject =
    subject!("stormless: named inside static with deadline", None, |input| limited(input));

// `uncut`, as the error cannot express a cut: the deadline stops waits and further attempts.
#[retry(budget = DECLARED, deadline = "2s", uncut)]
async fn limited(input: u64) -> Result<u64, Down> {
    shares(input).await
}

#[retry(budget = "bench.named")]
async fn shares(input: u64) -> Result<u64, Down> {
    work(input)
}

const RECORD: Subject = subject!("stormless: returns `RetryError`", None, |input| record(input));

#[retry]
async fn record(input: u64) -> Result<u64, RetryError<Down>> {
    work(input)
}

const WINDOW: Subject = subject!("stormless: sliding window", None, |input| windowed(input));

#[retry(budget = RECENT)]
async fn windowed(input: u64) -> Result<u64, Down> {
    work(input)
}

/// Not ready when it is polled first, like whatever waits for a socket.
const WAITS_BARE: Subject = Subject {
    bare: "waits once: bare async fn",
    hand: None,
    ..subject!(to_end, "waits once: bare async fn", None, |input| waits_bare(input))
};

async fn waits_bare(input: u64) -> Result<u64, Down> {
    wait_once().await;
    work(input)
}

const WAITS_HAND: Subject = Subject {
    bare: "waits once: bare async fn",
    hand: None,
    ..subject!(to_end, "waits once: hand-written loop", None, |input| waits_by_hand(input))
};

async fn waits_by_hand(input: u64) -> Result<u64, Down> {
    let mut limit = Duration::from_millis(50);
    let mut attempt = 1;
    loop {
        wait_once().await;
        match work(input) {
            Ok(value) => return Ok(value),
            Err(error) if attempt == 3 || !error.is_transient() => return Err(error),
            Err(_) => {
                tokio::time::sleep(limit.mul_f64(fastrand::f64())).await;
                limit = (limit * 2).min(Duration::from_secs(20));
                attempt += 1;
            }
        }
    }
}

const WAITS_OWN: Subject = Subject {
    bare: "waits once: bare async fn",
    hand: Some("waits once: hand-written loop"),
    ..subject!(to_end, "waits once: stormless, own budget", None, |input| waits_own(input))
};

#[retry]
async fn waits_own(input: u64) -> Result<u64, Down> {
    wait_once().await;
    work(input)
}

/// No retry and no future.
pub const BARE_BLOCKING: Subject = blocking!("bare blocking fn", |input| work(input));

const BLOCKING: Subject = blocking!("stormless: `blocking`", |input| waits(input));

#[retry(blocking)]
fn waits(input: u64) -> Result<u64, Down> {
    work(input)
}
