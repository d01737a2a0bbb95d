//! What is held between attempts, and what the attempts get as arguments.

use std::{
    future::poll_fn,
    pin::pin,
    sync::atomic::{AtomicU32, Ordering},
    task::Poll,
};

use crate::bodies::{Answer, Dependency, T, ms};
use stormless::{Classification, RetryError, Retryable, retry};
use tokio::time::Instant;

/// Counts how often something of its kind was dropped.
#[derive(Debug)]
struct Held<'a>(&'a AtomicU32);

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// An error that holds something, such as a response that was not read.
#[derive(Debug)]
struct Response<'a>(Held<'a>);

impl Retryable for Response<'_> {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[derive(Default)]
struct Drops {
    errors: AtomicU32,
    locals: AtomicU32,
    bodies: AtomicU32,
}

impl Drops {
    fn so_far(&self) -> [u32; 2] {
        [self.errors.load(Ordering::Relaxed), self.locals.load(Ordering::Relaxed)]
    }

    async fn fail_until(&self, last: u32) -> Result<(), Response<'_>> {
        let _connection = Held(&self.locals);
        tokio::task::yield_now().await;
        let body = self.bodies.fetch_add(1, Ordering::Relaxed) + 1;
        if body < last { Err(Response(Held(&self.errors))) } else { Ok(()) }
    }
}

#[retry(attempts = 3, backoff = "fixed", base = "1s", budget = none)]
async fn holding(drops: &Drops, last: u32) -> Result<(), Response<'_>> {
    let _buffer = Held(&drops.locals);
    drops.fail_until(last).await
}

#[retry(attempts = 3, backoff = "fixed", base = "1s", budget = none)]
async fn holding_wrapped(drops: &Drops, last: u32) -> Result<(), RetryError<Response<'_>>> {
    let _buffer = Held(&drops.locals);
    drops.fail_until(last).await
}

/// Polls a failing call until it sleeps, and looks at what is gone by then.
macro_rules! asleep_after_one_failure {
    ($call:ident) => {{
        let drops = Drops::default();
        let begun = Instant::now();
        let mut call = pin!($call(&drops, 2));
        // Its body yields once, so the second poll is the one that fails and begins to sleep.
        for _ in 0..2 {
            assert!(poll_fn(|task| Poll::Ready(call.as_mut().poll(task))).await.is_pending());
        }
        assert_eq!(drops.bodies.load(Ordering::Relaxed), 1);
        assert_eq!(drops.so_far(), [1, 2], "all of it is gone before the wait");
        assert!(call.await.is_ok());
        assert_eq!((begun.elapsed(), drops.so_far()), (ms(1_000), [1, 4]));
    }};
}

// R159
#[tokio::test(start_paused = true)]
async fn what_a_failed_attempt_held_is_released_before_the_wait() {
    asleep_after_one_failure!(holding);
    asleep_after_one_failure!(holding_wrapped);
}

// R159
#[tokio::test(start_paused = true)]
async fn the_error_of_the_last_attempt_reaches_the_caller_undropped() {
    let drops = Drops::default();
    let Response(held) = holding(&drops, 9).await.expect_err("all three attempts fail");
    assert_eq!(drops.so_far()[0], 2);
    drop(held);
    assert_eq!(drops.so_far()[0], 3);

    let drops = Drops::default();
    let wrapped = holding_wrapped(&drops, 9).await.expect_err("all three attempts fail");
    assert_eq!((wrapped.attempts(), drops.so_far()[0]), (3, 2));
    drop(wrapped.into_inner().expect("the last attempt ran to its end"));
    assert_eq!(drops.so_far()[0], 3);
}

/// A request body that knows how often it was cloned.
struct Request<'a> {
    bytes: Vec<u8>,
    clones: &'a AtomicU32,
}

impl Clone for Request<'_> {
    fn clone(&self) -> Self {
        self.clones.fetch_add(1, Ordering::Relaxed);
        Self { bytes: self.bytes.clone(), clones: self.clones }
    }
}

#[retry(attempts = 3, backoff = "none", budget = none, clone(request))]
async fn send(request: Request<'_>, sent: &mut Vec<Vec<u8>>, by: &Dependency) -> Answer {
    let Request { bytes, .. } = request;
    sent.push(bytes);
    by.answer()
}

#[retry(attempts = 3, backoff = "none", budget = none, clone(request, copies))]
async fn fill(
    mut request: Request<'_>,
    copies: u8,
    by: &Dependency,
) -> Result<Vec<u8>, crate::bodies::Failure> {
    request.bytes.push(copies);
    by.answer()?;
    Ok(request.bytes)
}

fn request(clones: &AtomicU32) -> Request<'_> {
    Request { bytes: vec![1, 2, 3], clones }
}

// R163
#[tokio::test(start_paused = true)]
async fn each_attempt_gets_a_clone_of_its_own_the_last_one_included() {
    for (script, bodies) in
        [(Dependency::script([Err(T), Err(T), Ok(())]), 3), (Dependency::script([Ok(())]), 1)]
    {
        let (clones, mut sent) = (AtomicU32::new(0), Vec::new());
        assert_eq!(send(request(&clones), &mut sent, &script).await, Ok(()));
        assert_eq!(sent, vec![vec![1, 2, 3]; bodies]);
        assert_eq!(usize::try_from(clones.into_inner()), Ok(bodies));
    }
    let clones = AtomicU32::new(0);
    let script = Dependency::script([Err(T), Err(T), Ok(())]);
    let filled = fill(request(&clones), 9, &script).await;
    assert_eq!(filled, Ok(vec![1, 2, 3, 9]), "a change by one attempt does not reach the next");
    assert_eq!(clones.into_inner(), 3);
}

#[retry(attempts = 3, backoff = "none", budget = none)]
async fn append(buffer: &mut String, by: &Dependency) -> Answer {
    buffer.push_str("line ");
    by.answer()
}

// R163
#[tokio::test(start_paused = true)]
async fn a_mutable_reference_shows_what_the_attempt_before_left() {
    let mut buffer = String::new();
    let script = Dependency::script([Err(T), Err(T), Ok(())]);
    assert_eq!(append(&mut buffer, &script).await, Ok(()));
    assert_eq!(buffer, "line line line ");
}
