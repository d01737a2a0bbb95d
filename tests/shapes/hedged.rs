//! Functions with `hedge`.
//!
//! Attempts run side by side, so that the body only borrows: `&mut` arguments are refused, and what the body
//! consumes is named in `clone(..)`. What it borrows is shared between attempts, so that the future is `Send`
//! where all of that is `Sync`.

use std::{
    cell::Cell,
    fmt::Display,
    future::Future,
    pin::Pin,
    rc::Rc,
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use async_trait::async_trait;
use stormless::{AttemptTimeout, Cut, RetryError, RetryEvent, retry};

use crate::support::{Failed, local, send};

/// The first body never answers, the second does at once.
struct Slow(AtomicU32);

impl Slow {
    const fn new() -> Self {
        Self(AtomicU32::new(0))
    }

    async fn answer<T>(&self, value: T) -> Result<T, Failed> {
        if self.0.fetch_add(1, Ordering::Relaxed) == 0 {
            std::future::pending::<()>().await;
        }
        Ok(value)
    }

    fn bodies(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }
}

/// A function that borrows its arguments.
/// The second body answers for the first.
#[tokio::test(start_paused = true)]
async fn function() {
    static SLOW: Slow = Slow::new();
    #[retry(idempotent, hedge = "100ms")]
    async fn fetch(host: &str, path: &[u8]) -> Result<usize, Failed> {
        SLOW.answer(host.len() + path.len()).await
    }
    assert_eq!(send(fetch("a", &[1, 2])).await, Ok(3));
    assert_eq!(SLOW.bodies(), 2);
}

/// A method by `&self`.
/// The attempts share `self`.
#[tokio::test(start_paused = true)]
async fn method() {
    static SLOW: Slow = Slow::new();
    struct Client(u8);
    impl Client {
        #[retry(idempotent, hedge = "100ms")]
        async fn fetch(&self, id: u8) -> Result<u8, Failed> {
            SLOW.answer(self.0 + id).await
        }
    }
    assert_eq!(send(Client(3).fetch(4)).await, Ok(7));
    assert_eq!(SLOW.bodies(), 2);
}

/// A generic function.
/// What is borrowed of a parameter's type has to be `Sync`.
#[tokio::test(start_paused = true)]
async fn generic() {
    static SLOW: Slow = Slow::new();
    #[retry(idempotent, hedge = "100ms")]
    async fn show<T: Display + Sync, const N: usize>(
        value: &T,
        other: impl Display + Send + Sync,
    ) -> Result<String, Failed> {
        SLOW.answer(format!("{value}{other}{N}")).await
    }
    assert_eq!(send(show::<_, 3>(&1, "2")).await.as_deref(), Ok("123"));
    assert_eq!(SLOW.bodies(), 2);
}

/// An owned argument that the body only borrows.
/// All attempts look at the one value.
#[tokio::test(start_paused = true)]
async fn owned() {
    static SLOW: Slow = Slow::new();
    #[retry(idempotent, hedge = "100ms")]
    async fn count(words: Vec<String>) -> Result<usize, Failed> {
        SLOW.answer(words.len()).await
    }
    assert_eq!(send(count(vec![String::new()])).await, Ok(1));
    assert_eq!(SLOW.bodies(), 2);
}

/// `clone(..)`, consumed and changed by the body.
/// Each attempt clones for itself as it begins.
#[tokio::test(start_paused = true)]
async fn cloned() {
    static SLOW: Slow = Slow::new();
    #[retry(idempotent, hedge = "100ms", clone(words))]
    async fn publish(mut words: Vec<String>) -> Result<Vec<String>, Failed> {
        words.push("once".to_owned());
        SLOW.answer(words).await
    }
    assert_eq!(send(publish(Vec::new())).await, Ok(vec!["once".to_owned()]));
    assert_eq!(SLOW.bodies(), 2);
}

/// A result that borrows from an argument.
/// The winner's borrow outlives the loser.
#[tokio::test(start_paused = true)]
async fn borrowed() {
    static SLOW: Slow = Slow::new();
    struct Pool(String);
    impl Pool {
        #[retry(idempotent, hedge = "100ms")]
        async fn name(&self) -> Result<&str, Failed> {
            SLOW.answer(&*self.0).await
        }
    }
    #[retry(idempotent, hedge = "100ms")]
    async fn longer<'long>(text: &'long str, _hint: &str) -> Result<&'long str, Failed> {
        SLOW.answer(&text[1..]).await
    }
    let pool = Pool("name".to_owned());
    assert_eq!(send(pool.name()).await, Ok("name"));
    assert_eq!(send(longer("name", &format!("{}", 1))).await, Ok("ame"));
}

/// `#[async_trait]`.
/// The boxed future is `Send`.
#[tokio::test(start_paused = true)]
async fn by_async_trait() {
    static SLOW: Slow = Slow::new();
    struct Client(u8);
    #[async_trait]
    trait Orders {
        async fn number(&self, of: &str) -> Result<usize, Failed>;
    }
    #[async_trait]
    impl Orders for Client {
        #[retry(idempotent, hedge = "100ms")]
        async fn number(&self, of: &str) -> Result<usize, Failed> {
            SLOW.answer(usize::from(self.0) + of.len()).await
        }
    }
    let orders: &dyn Orders = &Client(1);
    assert_eq!(send(orders.number("four")).await, Ok(5));
    assert_eq!(SLOW.bodies(), 2);
}

/// A boxed future.
/// The block at its end is what runs twice.
#[tokio::test(start_paused = true)]
async fn boxed() {
    static SLOW: Slow = Slow::new();
    #[retry(idempotent, hedge = "100ms")]
    fn fetch(id: &u8) -> Pin<Box<dyn Future<Output = Result<u8, Failed>> + Send + '_>> {
        Box::pin(async move { SLOW.answer(*id).await })
    }
    assert_eq!(send(fetch(&7)).await, Ok(7));
    assert_eq!(SLOW.bodies(), 2);
}

/// An argument that is not `Sync`.
/// The future stays on its thread.
#[tokio::test(start_paused = true)]
async fn on_one_thread() {
    static SLOW: Slow = Slow::new();
    #[retry(idempotent, hedge = "100ms")]
    async fn count(seen: &Cell<u8>, shared: Rc<u8>) -> Result<u8, Failed> {
        seen.set(seen.get() + 1);
        SLOW.answer(seen.get() + *shared).await
    }
    let seen = Cell::new(0);
    assert_eq!(local(count(&seen, Rc::new(5))).await, Ok(7));
    assert_eq!(SLOW.bodies(), 2);
}

/// Settings that use arguments.
/// Hooks and `cut_error` see them as ever.
#[tokio::test(start_paused = true)]
async fn settings() {
    static SLOW: Slow = Slow::new();
    fn note(seen: &AtomicU32, event: &RetryEvent<'_, String>) {
        assert!(event.is_hedge());
        let _ = seen.fetch_add(1, Ordering::Relaxed);
    }
    #[retry(
        idempotent,
        attempts = 2,
        hedge = "100ms",
        attempt_timeout = "300ms",
        classify = |_| stormless::Classification::transient(),
        cut_error = |cut: Cut| format!("{name}: {cut}"),
        on_retry = |event| note(seen, event),
    )]
    async fn named(name: &str, seen: &AtomicU32) -> Result<u8, String> {
        let _fails = name.is_empty();
        SLOW.answer(()).await.map_err(|_| String::new())?;
        std::future::pending().await
    }
    let seen = AtomicU32::new(0);
    let timeout = AttemptTimeout::new();
    assert_eq!(send(named("n", &seen)).await, Err(format!("n: {timeout}")));
    assert_eq!((seen.into_inner(), SLOW.bodies()), (1, 2));
}

/// `RetryError` as the error.
/// It counts the hedges among the attempts.
#[tokio::test(start_paused = true)]
async fn wrapped() {
    #[retry(idempotent, attempts = 3, hedge = "100ms", hedge_max = 2, deadline = "1s")]
    async fn fetch(id: &u8) -> Result<u8, RetryError<Failed>> {
        tokio::time::sleep(Duration::MAX).await;
        Ok(*id)
    }
    let error = send(fetch(&1)).await.unwrap_err();
    assert_eq!((error.attempts(), error.get_ref()), (3, None));
}

/// An async method of a trait.
/// A default body may be hedged, too.
#[tokio::test(start_paused = true)]
async fn default_method() {
    static SLOW: Slow = Slow::new();
    trait Orders: Sync {
        fn id(&self) -> u8;
        #[retry(idempotent, hedge = "100ms")]
        async fn number(&self) -> Result<u8, Failed> {
            SLOW.answer(self.id()).await
        }
    }
    struct Client;
    impl Orders for Client {
        fn id(&self) -> u8 {
            9
        }
    }
    assert_eq!(send(Client.number()).await, Ok(9));
    assert_eq!(SLOW.bodies(), 2);
}
