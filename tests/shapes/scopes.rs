//! What lives how long.
//!
//! Everything that an attempt made is gone before the wait, in the order in which a plain function drops
//! it. What the call was given lives to its end.

use std::{
    pin::pin,
    sync::{
        Arc, Mutex, RwLock, Weak,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use stormless::{Classification, retry};
use tokio::time::timeout;

use crate::support::{Failed, Tries, send};

/// Runs a call up to its first wait, which is one second long, and asks what is true in there.
async fn in_the_wait<T, R>(call: impl Future<Output = T>, ask: impl FnOnce() -> R) -> (R, T) {
    let mut call = pin!(call);
    let early = timeout(Duration::from_millis(500), call.as_mut()).await;
    assert!(early.is_err(), "the call waits");
    (ask(), call.await)
}

/// Writes its name down when it is dropped.
struct Noted<'a>(&'static str, &'a Mutex<Vec<&'static str>>);

impl Noted<'_> {
    fn note(&self, name: &'static str) {
        self.1.lock().unwrap().push(name);
    }
}

impl Drop for Noted<'_> {
    fn drop(&mut self) {
        self.note(self.0);
    }
}

/// A lock guard in the scrutinee of a `match`.
/// It lives to the end of the `match`, which is within the attempt.
#[tokio::test(start_paused = true)]
async fn guard_in_a_scrutinee() {
    static TRIES: Tries = Tries::failing(1);
    #[retry(backoff = "fixed", base = "1s")]
    async fn pop(queue: &Mutex<Vec<u8>>) -> Result<u8, Failed> {
        match queue.lock().unwrap().pop() {
            Some(number) => TRIES.run().map(|()| number),
            None => Err(Failed),
        }
    }
    let queue = Mutex::new(vec![1, 2]);
    let call = send(pop(&queue));
    assert_eq!(in_the_wait(call, || queue.try_lock().is_ok()).await, (true, Ok(1)));
    assert_eq!(TRIES.bodies(), 2);
}

/// A lock guard in the last expression.
/// It is dropped with the body, not with the call.
#[tokio::test(start_paused = true)]
async fn guard_in_the_last_expression() {
    static TRIES: Tries = Tries::failing(1);
    #[retry(backoff = "fixed", base = "1s")]
    async fn read(shared: &RwLock<Tries>) -> Result<(), Failed> {
        shared.read().unwrap().run().and(TRIES.run())
    }
    let shared = RwLock::new(Tries::failing(1));
    let call = send(read(&shared));
    assert_eq!(in_the_wait(call, || shared.try_write().is_ok()).await, (true, Ok(())));
    assert_eq!(TRIES.bodies(), 2);
}

/// A lock guard in a variable, across an await.
/// Another task can have the lock during the wait.
#[tokio::test(start_paused = true)]
async fn guard_in_a_variable() {
    static TRIES: Tries = Tries::failing(1);
    #[retry(backoff = "fixed", base = "1s")]
    async fn count(counter: &tokio::sync::Mutex<u8>) -> Result<u8, Failed> {
        let mut counter = counter.lock().await;
        *counter += 1;
        TRIES.answer(*counter).await
    }
    let counter = tokio::sync::Mutex::new(0);
    let call = send(count(&counter));
    let with_lock = || counter.try_lock().map(|counter| *counter).ok();
    assert_eq!(in_the_wait(call, with_lock).await, (Some(1), Ok(2)));
    assert_eq!(TRIES.bodies(), 2);
}

/// Variables with destructors.
/// Dropped in reverse order when the body ends, as in a plain function, and before the wait.
#[tokio::test(start_paused = true)]
async fn order_of_drops() {
    static TRIES: Tries = Tries::failing(1);
    #[retry(backoff = "fixed", base = "1s")]
    async fn work(log: &Mutex<Vec<&'static str>>) -> Result<(), Failed> {
        let first = Noted("first", log);
        let _second = Noted("second", log);
        Noted("temporary", log).note("used");
        first.note("end");
        TRIES.answer(()).await
    }
    let log: Mutex<Vec<&str>> = Mutex::default();
    let seen = || log.lock().unwrap().clone();
    let (in_the_wait, result) = in_the_wait(send(work(&log)), seen).await;
    let attempt = ["used", "temporary", "end", "second", "first"];
    assert_eq!((&in_the_wait[..], result), (&attempt[..], Ok(())));
    assert_eq!((seen(), TRIES.bodies()), (attempt.repeat(2), 2));
}

/// The error of a failed attempt.
/// Dropped before the wait, with all that it holds.
#[tokio::test(start_paused = true)]
async fn error() {
    static TRIES: Tries = Tries::failing(1);
    type Held = Arc<str>;
    #[retry(backoff = "fixed", base = "1s", classify = |_: &Held| Classification::transient())]
    async fn work(held: &Held) -> Result<(), Held> {
        TRIES.answer(()).await.map_err(|_| Arc::clone(held))
    }
    let held: Held = "held".into();
    let call = send(work(&held));
    assert_eq!(in_the_wait(call, || Arc::strong_count(&held)).await, (1, Ok(())));
    assert_eq!(TRIES.bodies(), 2);
}

/// The clones of `clone(..)`.
/// During the wait there is the call's argument and no clone of it.
#[tokio::test(start_paused = true)]
async fn clones() {
    static TRIES: Tries = Tries::failing(1);
    #[retry(backoff = "fixed", base = "1s", clone(shared))]
    async fn work(shared: Arc<u8>) -> Result<Arc<u8>, Failed> {
        TRIES.answer(shared).await
    }
    let shared = Arc::new(4);
    let call = send(work(Arc::clone(&shared)));
    let (during, result) = in_the_wait(call, || Arc::strong_count(&shared)).await;
    assert_eq!((during, result), (2, Ok(Arc::clone(&shared))));
    assert_eq!(TRIES.bodies(), 2);
}

/// An owned argument, used or not.
/// It lives to the end of the call and is dropped then.
#[tokio::test(start_paused = true)]
async fn arguments() {
    static TRIES: Tries = Tries::failing(1);
    #[retry(backoff = "fixed", base = "1s")]
    async fn work(used: Arc<u8>, _: Arc<u8>) -> Result<u8, Failed> {
        TRIES.answer(*used).await
    }
    let shared = Arc::new(4);
    let call = send(work(Arc::clone(&shared), Arc::clone(&shared)));
    assert_eq!(in_the_wait(call, || Arc::strong_count(&shared)).await, (3, Ok(4)));
    assert_eq!((TRIES.bodies(), Arc::strong_count(&shared)), (2, 1));
}

/// A static in the body.
/// One for the process, as always, and so for all attempts.
#[tokio::test(start_paused = true)]
async fn static_in_the_body() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn number() -> Result<u32, Failed> {
        static RUNS: AtomicU32 = AtomicU32::new(1);
        TRIES.answer(RUNS.fetch_add(1, Ordering::Relaxed)).await
    }
    assert_eq!(send(number()).await, Ok(3));
    assert_eq!(TRIES.bodies(), 3);
}

/// A call that is dropped while it runs.
/// What the attempt holds is dropped with it.
#[tokio::test(start_paused = true)]
async fn dropped() {
    static TRIES: Tries = Tries::failing(0);
    #[retry]
    async fn hang(shared: &Arc<u8>) -> Result<Weak<u8>, Failed> {
        let held = Arc::clone(shared);
        TRIES.answer(()).await?;
        std::future::pending::<()>().await;
        Ok(Arc::downgrade(&held))
    }
    let shared = Arc::new(4);
    {
        let mut call = pin!(send(hang(&shared)));
        assert!(timeout(Duration::from_secs(1), call.as_mut()).await.is_err());
        assert_eq!(Arc::strong_count(&shared), 2);
    }
    assert_eq!((TRIES.bodies(), Arc::strong_count(&shared)), (1, 1));
}
