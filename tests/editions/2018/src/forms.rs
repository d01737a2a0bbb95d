// The attribute on functions that block, that return a future, and that others have rewritten.

use std::{
    future::Future,
    pin::{pin, Pin},
    sync::atomic::{AtomicU32, Ordering},
    task::{Context, Poll, Waker},
};

use async_trait::async_trait;
use stormless::{retry, Classification, RetryError, Retryable};
use tracing::instrument;

#[derive(Debug, PartialEq)]
struct Failed;

impl Retryable for Failed {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

/// Fails twice.
fn answer(bodies: &AtomicU32) -> Result<u32, Failed> {
    match bodies.fetch_add(1, Ordering::Relaxed) {
        0 | 1 => Err(Failed),
        before => Ok(before + 1),
    }
}

#[retry(backoff = "none")]
fn boxed<'a>(
    bodies: &'a AtomicU32,
) -> Pin<Box<dyn Future<Output = Result<u32, Failed>> + Send + 'a>> {
    let twice = [bodies, bodies];
    Box::pin(async move { answer(twice[1]) })
}

#[expect(clippy::manual_async_fn, reason = "the form under test")]
#[retry(backoff = "none", cut_error = |_| Failed, clone(name))]
fn unboxed(
    bodies: &AtomicU32,
    name: String,
) -> impl Future<Output = Result<u32, Failed>> + Send + '_ {
    async move {
        drop(name);
        answer(bodies)
    }
}

#[async_trait]
trait Store {
    fn calls(&mut self) -> u32;

    async fn get(&mut self, bodies: &AtomicU32, name: String) -> Result<u32, Failed>;

    #[retry(backoff = "none", on_retry = |_| assert!(self.calls() > 0))]
    async fn default(&mut self, bodies: &AtomicU32) -> Result<u32, RetryError<Failed>> {
        self.calls();
        answer(bodies)
    }
}

#[derive(Debug)]
struct Memory(u32);

#[async_trait]
impl Store for Memory {
    fn calls(&mut self) -> u32 {
        self.0 += 1;
        self.0
    }

    #[instrument(err(Debug))]
    #[retry(backoff = "none", on_retry = |_| assert!(self.0 > 0), clone(name))]
    #[instrument(ret)]
    async fn get(&mut self, bodies: &AtomicU32, mut name: String) -> Result<u32, Failed> {
        name.push('!');
        self.0 += 1;
        answer(bodies)
    }
}

#[instrument]
#[retry(backoff = "none", clone(name))]
async fn below(bodies: &AtomicU32, name: String) -> Result<u32, RetryError<Failed>> {
    drop(name);
    answer(bodies)
}

#[retry(backoff = "none")]
#[instrument(err(Debug), ret)]
async fn above(bodies: &AtomicU32, name: String) -> Result<u32, Failed> {
    assert_eq!(name, "a");
    answer(bodies)
}

#[instrument(err(Debug), ret)]
#[retry(blocking, backoff = "none", clone(name), deadline = "1h", uncut)]
fn blocking(bodies: &AtomicU32, mut name: String) -> Result<u32, Failed> {
    name.push('!');
    drop(name);
    answer(bodies)
}

impl Memory {
    #[retry(blocking, backoff = "none", on_retry = |_| assert!(self.0 > 0))]
    fn blocking(&mut self, bodies: &AtomicU32) -> Result<u32, RetryError<Failed>> {
        self.0 += 1;
        answer(bodies)
    }
}

/// Drives a future that waits for nothing but its turn.
fn driven<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return output;
        }
    }
}

#[test]
fn every_form_retries() {
    let bodies = || AtomicU32::new(0);
    let name = || "a".to_owned();
    assert_eq!(driven(boxed(&bodies())), Ok(3));
    assert_eq!(driven(unboxed(&bodies(), name())), Ok(3));
    assert_eq!(driven(Memory(0).get(&bodies(), name())), Ok(3));
    assert_eq!(driven(Memory(0).default(&bodies())).ok(), Some(3));
    assert_eq!(driven(below(&bodies(), name())).ok(), Some(3));
    assert_eq!(driven(above(&bodies(), name())), Ok(3));
    assert_eq!(blocking(&bodies(), name()), Ok(3));
    assert_eq!(Memory(0).blocking(&bodies()).ok(), Some(3));
}
