//! Functions that block: bodies.
//!
//! The body means what it meant, and nothing of an attempt is left while the thread sleeps.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Mutex,
        atomic::{AtomicU32, Ordering},
    },
};

use stormless::{Classification, RetryError, Retryable, StopReason, retry, sites};
use tracing::instrument;

use crate::{
    spans::Watch,
    support::{Failed, Tries},
    waits::Waits,
};

/// `blocking`, `?` and `return`.
/// They end the attempt, and `?` converts the error.
#[test]
fn early_ends() {
    static TRIES: Tries = Tries::failing(1);
    #[retry(blocking, backoff = "none")]
    fn parsed(text: &str) -> Result<u32, Failed> {
        TRIES.run()?;
        if text.is_empty() {
            return Ok(0);
        }
        Ok(text.parse()?)
    }
    assert_eq!(parsed("4"), Ok(4));
    assert_eq!(TRIES.bodies(), 2);
    assert_eq!(parsed(""), Ok(0));
    assert_eq!(TRIES.bodies(), 3);
    assert_eq!(parsed("four"), Err(Failed));
    assert_eq!(TRIES.bodies(), 6);
}

/// `blocking`, labelled loops.
/// The labels are the body's own.
#[test]
fn labels() {
    static TRIES: Tries = Tries::failing(2);
    #[retry(blocking, backoff = "none")]
    fn found(wanted: u32) -> Result<(u32, u32), Failed> {
        let pair = 'outer: loop {
            for left in 0.. {
                for right in 0..left {
                    if left * right == wanted {
                        break 'outer (left, right);
                    }
                }
            }
        };
        TRIES.run().map(|()| pair)
    }
    assert_eq!(found(6), Ok((3, 2)));
    assert_eq!(TRIES.bodies(), 3);
}

/// `blocking`, a body that ends in a coercion.
/// The result's type is known inside.
#[test]
fn coercion() {
    static TRIES: Tries = Tries::failing(2);
    #[retry(blocking, backoff = "none")]
    fn boxed(id: u32) -> Result<Box<dyn Fn() -> u32>, Failed> {
        TRIES.run()?;
        Ok(Box::new(move || id))
    }
    assert_eq!(boxed(4).map(|f| f()), Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// `blocking`, `RetryError`.
/// The body has the error inside, and the caller learns why it ended.
#[test]
fn retry_error() {
    static TRIES: Tries = Tries::failing(3);
    #[retry(blocking, backoff = "none")]
    fn fails() -> Result<(), RetryError<Failed>> {
        TRIES.run()?;
        Ok(())
    }
    let failed = fails().expect_err("it fails thrice");
    assert_eq!((failed.attempts(), failed.reason()), (3, StopReason::AttemptsExhausted));
    assert_eq!(TRIES.bodies(), 3);
}

/// `blocking`, a body that panics.
/// The panic goes on to the caller and is counted; it is no failure to retry.
#[test]
fn panics() {
    static TRIES: Tries = Tries::failing(1);
    #[retry(blocking, backoff = "none", name = "blocking.panics")]
    fn panicking(id: u32) -> Result<u32, Failed> {
        TRIES.run()?;
        assert!(id > 4, "on purpose");
        Ok(id)
    }
    assert!(catch_unwind(AssertUnwindSafe(|| panicking(4))).is_err());
    assert_eq!(TRIES.bodies(), 2);
    assert_eq!(
        sites().get("blocking.panics").map(|site| (site.panics(), site.failures())),
        Some((1, 1))
    );
    assert_eq!(panicking(5), Ok(5), "nothing is left of it on the thread");
}

/// `blocking`, with a lock.
/// The lock is free while the thread sleeps, in whichever way the attempt held it.
#[test]
fn locks() {
    static TRIES: Tries = Tries::failing(2);
    static LOCK: Mutex<u32> = Mutex::new(0);
    #[retry(blocking)]
    fn counted() -> Result<u32, Failed> {
        let mut count = LOCK.lock().map_err(|_| Failed)?;
        *count += 1;
        TRIES.run()?;
        Ok(*count)
    }
    let waits = Waits::with(|| assert!(LOCK.try_lock().is_ok()));
    assert_eq!(counted(), Ok(3));
    assert_eq!((TRIES.bodies(), waits.count()), (3, 2));
}

/// Counts those that are alive.
struct Counted;

static ALIVE: AtomicU32 = AtomicU32::new(0);

impl Counted {
    fn new() -> Self {
        let _ = ALIVE.fetch_add(1, Ordering::Relaxed);
        Self
    }
}

impl Clone for Counted {
    fn clone(&self) -> Self {
        Self::new()
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let _ = ALIVE.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Retryable for Counted {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

/// `blocking`, an error, a local and a clone that own something.
/// All are dropped before the thread sleeps.
#[test]
fn drops() {
    static TRIES: Tries = Tries::failing(2);
    #[retry(blocking, clone(value))]
    fn held(value: Counted) -> Result<(), Counted> {
        let local = value.clone();
        let mine = value;
        TRIES.run().map_err(|_| local)?;
        drop(mine);
        Ok(())
    }
    let waits = Waits::with(|| assert_eq!(ALIVE.load(Ordering::Relaxed), 1, "the argument"));
    assert!(held(Counted::new()).is_ok());
    assert_eq!((TRIES.bodies(), waits.count()), (3, 2));
    assert_eq!(ALIVE.load(Ordering::Relaxed), 0);
}

/// `blocking`, `#[instrument]` below.
/// One span for the call, and one event for its result.
#[test]
fn instrument_below() {
    static TRIES: Tries = Tries::failing(2);
    #[retry(blocking, backoff = "none", clone(name))]
    #[instrument(err(Debug), ret)]
    fn same(seen: &mut Vec<u8>, name: String) -> Result<(usize, String), Failed> {
        seen.push(1);
        let mine = name;
        TRIES.run().map(|()| (seen.len(), mine))
    }
    let watch = Watch::start();
    assert_eq!(same(&mut Vec::new(), "a".to_owned()), Ok((3, "a".to_owned())));
    assert_eq!((TRIES.bodies(), watch.seen()), (3, (1, 1)));
}

/// `blocking`, `#[instrument]` above.
/// One span for each attempt.
#[test]
fn instrument_above() {
    static TRIES: Tries = Tries::failing(2);
    #[instrument]
    #[retry(blocking, backoff = "none", clone(name))]
    fn same(seen: &mut Vec<u8>, name: String) -> Result<(usize, String), Failed> {
        seen.push(1);
        let mine = name;
        TRIES.run().map(|()| (seen.len(), mine))
    }
    let watch = Watch::start();
    assert_eq!(same(&mut Vec::new(), "a".to_owned()), Ok((3, "a".to_owned())));
    assert_eq!((TRIES.bodies(), watch.seen()), (3, (3, 0)));
}

/// `blocking`, `#[instrument(err, ret)]` above.
/// One event for the result of each attempt.
#[test]
fn recorded_above() {
    static TRIES: Tries = Tries::failing(2);
    #[instrument(err(Debug), ret, skip_all)]
    #[retry(blocking, backoff = "none", clone(name))]
    fn same(seen: &mut Vec<u8>, name: String, other: &str) -> Result<(usize, String), Failed> {
        seen.push(1);
        let mine = name + other;
        TRIES.run().map(|()| (seen.len(), mine))
    }
    let watch = Watch::start();
    assert_eq!(same(&mut Vec::new(), "a".to_owned(), "b"), Ok((3, "ab".to_owned())));
    assert_eq!((TRIES.bodies(), watch.seen()), (3, (3, 3)));
}

/// `blocking`, `#[instrument(err)]` above, `RetryError`.
/// What is recorded is the body's own error.
#[test]
fn recorded_above_with_retry_error() {
    static TRIES: Tries = Tries::failing(3);
    #[instrument(err(Debug))]
    #[retry(blocking, backoff = "none")]
    fn fails() -> Result<(), RetryError<Failed>> {
        TRIES.run()
    }
    let watch = Watch::start();
    assert_eq!(fails().map_err(|error| error.attempts()), Err(3));
    assert_eq!((TRIES.bodies(), watch.seen()), (3, (3, 3)));
}
