//! Functions with a gate: a breaker, or an expected time.
//!
//! Each attempt is admitted where it starts and accounted for where it ends. That costs the future a few
//! words, and neither its `Send` nor any borrow.

use std::{future::Future, pin::Pin, rc::Rc, time::Duration};

use async_trait::async_trait;
use stormless::{Breaker, BreakerOpen, Cut, RetryError, Retryable, StopReason, breaker, retry};

use crate::{
    support::{Failed, Tries, send},
    waits::Waits,
};

/// An error that can tell of everything.
#[derive(Debug, PartialEq, Eq, Retryable)]
enum Told {
    #[retryable(transient)]
    Failed,
    #[retryable(breaker_open)]
    Open(BreakerOpen),
    #[retryable(deadline_exceeded)]
    Late,
}

impl From<Failed> for Told {
    fn from(_: Failed) -> Self {
        Self::Failed
    }
}

/// `breaker` on a borrowed return.
/// The borrow is that of the attempt that worked; the third failure would have opened the breaker.
#[tokio::test(start_paused = true)]
async fn borrowed() {
    static TRIES: Tries = Tries::failing(2);
    breaker! { static WORDS: Breaker = Breaker::new("guarded.words").consecutive(3); }
    #[retry(breaker = WORDS)]
    async fn first<'a>(words: &[&'a str]) -> Result<&'a str, Told> {
        Ok(TRIES.answer(words[0]).await?)
    }
    assert_eq!(send(first(&["one", "two"])).await, Ok("one"));
    assert_eq!(TRIES.bodies(), 3);
}

/// `breaker` and `RetryError<E>`.
/// The breaker's refusal needs nothing of the error type.
#[tokio::test(start_paused = true)]
async fn wrapped() {
    static TRIES: Tries = Tries::failing(9);
    breaker! { static PAGES: Breaker = Breaker::new("guarded.pages").consecutive(2); }
    #[retry(attempts = 5, breaker = PAGES)]
    async fn page() -> Result<u8, RetryError<Failed>> {
        TRIES.answer(4).await
    }
    let error = send(page()).await.unwrap_err();
    assert_eq!((error.attempts(), error.reason()), (2, StopReason::BreakerOpen));
    assert_eq!(error.get_ref(), Some(&Failed));
    let error = send(page()).await.unwrap_err();
    assert!(matches!((error.attempts(), error.cut()), (0, Some(Cut::BreakerOpen(_)))));
    assert_eq!(TRIES.bodies(), 2);
}

/// `breaker`, `attempts = 1` and an argument that the body consumes.
/// There is no loop and no second attempt, and the breaker counts the one.
#[tokio::test(start_paused = true)]
async fn single() {
    static TRIES: Tries = Tries::failing(9);
    breaker! { static ONCE: Breaker = Breaker::new("guarded.once").consecutive(1); }
    #[retry(attempts = 1, breaker = ONCE)]
    async fn consume(text: String) -> Result<String, Told> {
        Ok(TRIES.answer(text).await?)
    }
    assert_eq!(send(consume("a".to_owned())).await, Err(Told::Failed));
    assert!(matches!(send(consume("b".to_owned())).await, Err(Told::Open(_))));
    assert_eq!(TRIES.bodies(), 1);
}

/// `blocking` and `breaker`.
/// The call ends where the breaker opens, without a wait.
#[test]
fn blocking() {
    static TRIES: Tries = Tries::failing(9);
    breaker! { static FILES: Breaker = Breaker::new("guarded.files").consecutive(2); }
    #[retry(blocking, attempts = 5, breaker = FILES)]
    fn read() -> Result<(), Told> {
        Ok(TRIES.run()?)
    }
    let waits = Waits::start();
    assert_eq!(read(), Err(Told::Failed));
    assert_eq!((TRIES.bodies(), waits.count()), (2, 1));
    assert!(matches!(read(), Err(Told::Open(open)) if open.retry_after().is_some()));
    assert_eq!((TRIES.bodies(), waits.count()), (2, 1));
}

/// `blocking` and a `breaker` that opens during the wait.
/// It answers in the place of the retry.
#[test]
fn blocking_opened() {
    static TRIES: Tries = Tries::failing(9);
    breaker! { static LEASES: Breaker = Breaker::new("guarded.leases"); }
    #[retry(blocking, breaker = LEASES)]
    fn lease() -> Result<(), RetryError<Failed>> {
        TRIES.run()
    }
    let waits = Waits::with(|| LEASES.open());
    let error = lease().unwrap_err();
    assert_eq!((error.attempts(), error.reason()), (1, StopReason::BreakerOpen));
    assert_eq!((TRIES.bodies(), waits.count()), (1, 1));
}

/// `expect` on a boxed future of a generic function.
/// Without a deadline there is time for every attempt.
#[tokio::test(start_paused = true)]
async fn boxed() {
    static TRIES: Tries = Tries::failing(2);
    #[retry(expect = "p95")]
    fn text<T: ToString + Sync>(
        value: &T,
    ) -> Pin<Box<dyn Future<Output = Result<String, Told>> + Send + '_>> {
        Box::pin(async move { Ok(TRIES.answer(value.to_string()).await?) })
    }
    assert_eq!(text(&7).await, Ok("7".to_owned()));
    assert_eq!(TRIES.bodies(), 3);
}

/// `expect`, `breaker`, `clone(x)` and a future that is not `Send`.
/// What the body holds is its own affair.
#[tokio::test(start_paused = true)]
async fn not_send() {
    static TRIES: Tries = Tries::failing(1);
    #[retry(expect = "p50", breaker = "guarded.any", deadline = "9s", clone(words))]
    async fn count(words: Vec<&str>) -> Result<usize, Told> {
        let words = Rc::new(words);
        tokio::time::sleep(Duration::from_millis(1)).await;
        Ok(TRIES.answer(words.len()).await?)
    }
    assert_eq!(count(vec!["one"]).await, Ok(1));
    assert_eq!(TRIES.bodies(), 2);
}

/// `#[async_trait]`, `breaker` and a `cut_error` that uses `self`.
/// The refusal is told by the method's own words.
#[tokio::test(start_paused = true)]
async fn method() {
    static TRIES: Tries = Tries::failing(9);
    breaker! { static STORE: Breaker = Breaker::new("guarded.store").consecutive(1); }
    #[async_trait]
    trait Store {
        async fn load(&self) -> Result<u8, String>;
    }
    struct Named(&'static str);
    #[async_trait]
    impl Store for Named {
        #[retry(
            breaker = STORE,
            cut_error = |cut| format!("{}: {cut}", self.0),
            classify = |_| stormless::Classification::transient()
        )]
        async fn load(&self) -> Result<u8, String> {
            TRIES.answer(4).await.map_err(|_| self.0.to_owned())
        }
    }
    assert_eq!(send(Named("disk").load()).await, Err("disk".to_owned()));
    assert_eq!(send(Named("disk").load()).await, Err("disk: the breaker is open".to_owned()));
    assert_eq!(TRIES.bodies(), 1);
}
