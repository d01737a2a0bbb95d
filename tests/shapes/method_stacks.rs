//! `#[async_trait]`: with `RetryError`, with `#[instrument]`, and `#[trait_variant::make]` instead.
//!
//! `#[async_trait]` is applied first, then the attributes of the method from the top down.

use std::{cell::Cell, sync::Arc};

use async_trait::async_trait;
use stormless::{Policy, RetryError, StopReason, retry};
use tracing::instrument;

use crate::{
    spans::Watch,
    support::{Failed, Tries, local, send},
};

#[derive(Debug)]
struct Memory(u32);

/// `#[async_trait]`, `RetryError`.
/// The body has the error inside.
#[tokio::test(start_paused = true)]
async fn retry_error() {
    static TRIES: Tries = Tries::failing(3);
    #[async_trait]
    trait Store {
        async fn number(&self, text: String) -> Result<u32, RetryError<Failed>>;
    }
    #[async_trait]
    impl Store for Memory {
        #[retry]
        async fn number(&self, text: String) -> Result<u32, RetryError<Failed>> {
            TRIES.answer(()).await?;
            Ok(text.parse()?)
        }
    }
    let failed = send(Memory(4).number("4".to_owned())).await.expect_err("it fails thrice");
    assert_eq!((failed.attempts(), failed.reason()), (3, StopReason::AttemptsExhausted));
    assert_eq!(TRIES.bodies(), 3);
    assert_eq!(send(Memory(4).number("4".to_owned())).await.ok(), Some(4));
}

/// `#[async_trait]`, `#[instrument]` below, `&self`.
/// One span for the call.
#[tokio::test(start_paused = true)]
async fn span_below_shared() {
    static TRIES: Tries = Tries::failing(2);
    #[async_trait]
    trait Store {
        async fn number(&self, more: String) -> Result<usize, Failed>;
    }
    #[async_trait]
    impl Store for Memory {
        #[retry]
        #[instrument]
        async fn number(&self, more: String) -> Result<usize, Failed> {
            TRIES.answer(more.len() + self.0 as usize).await
        }
    }
    let watch = Watch::start();
    assert_eq!(send(Memory(4).number("a".to_owned())).await, Ok(5));
    assert_eq!((TRIES.bodies(), watch.seen()), (3, (1, 0)));
}

/// `#[async_trait]`, `#[instrument]` above, `&self`.
/// One span for each attempt.
#[tokio::test(start_paused = true)]
async fn span_above_shared() {
    static TRIES: Tries = Tries::failing(2);
    #[async_trait]
    trait Store {
        async fn number(&self, more: String) -> Result<usize, Failed>;
    }
    #[async_trait]
    impl Store for Memory {
        #[instrument]
        #[retry]
        async fn number(&self, more: String) -> Result<usize, Failed> {
            TRIES.answer(more.len() + self.0 as usize).await
        }
    }
    let watch = Watch::start();
    assert_eq!(send(Memory(4).number("a".to_owned())).await, Ok(5));
    assert_eq!((TRIES.bodies(), watch.seen()), (3, (3, 0)));
}

/// `#[async_trait]`, `#[instrument]` below, `&mut self` and settings that use it.
/// One span for the call.
#[tokio::test(start_paused = true)]
async fn span_below_exclusive() {
    static TRIES: Tries = Tries::failing(2);
    #[async_trait]
    trait Store {
        async fn count(&mut self, name: String) -> Result<(u32, String), Failed>;
    }
    #[async_trait]
    impl Store for Memory {
        #[retry(policy = Policy::new().attempts(self.0), on_retry = |_| assert!(self.0 > 3), clone(name))]
        #[instrument(err(Debug), ret)]
        async fn count(&mut self, name: String) -> Result<(u32, String), Failed> {
            self.0 += 1;
            TRIES.answer((self.0, name)).await
        }
    }
    let watch = Watch::start();
    assert_eq!(send(Memory(3).count("a".to_owned())).await, Ok((6, "a".to_owned())));
    assert_eq!((TRIES.bodies(), watch.seen()), (3, (1, 1)));
}

/// `#[async_trait]`, `#[instrument]` above, `&mut self` and settings that use it.
/// One span for each attempt.
#[tokio::test(start_paused = true)]
async fn span_above_exclusive() {
    static TRIES: Tries = Tries::failing(2);
    #[async_trait]
    trait Store {
        async fn count(&mut self, name: String) -> Result<(u32, String), Failed>;
    }
    #[async_trait]
    impl Store for Memory {
        #[instrument(err(Debug), ret)]
        #[retry(policy = Policy::new().attempts(self.0), on_retry = |_| assert!(self.0 > 3), clone(name))]
        async fn count(&mut self, mut name: String) -> Result<(u32, String), Failed> {
            name.push('!');
            self.0 += 1;
            TRIES.answer((self.0, name)).await
        }
    }
    let watch = Watch::start();
    assert_eq!(send(Memory(3).count("a".to_owned())).await, Ok((6, "a!".to_owned())));
    assert_eq!((TRIES.bodies(), watch.seen()), (3, (3, 3)));
}

/// `#[async_trait]`, `#[instrument]` above, `self: Arc<Self>`.
/// The attempts borrow the `Arc`.
#[tokio::test(start_paused = true)]
async fn span_above_arc() {
    static TRIES: Tries = Tries::failing(2);
    #[async_trait]
    trait Store {
        async fn number(self: Arc<Self>) -> Result<u32, Failed>;
    }
    #[async_trait]
    impl Store for Memory {
        #[instrument(skip_all, fields(number = self.0))]
        #[retry]
        async fn number(self: Arc<Self>) -> Result<u32, Failed> {
            TRIES.answer(self.0).await
        }
    }
    let watch = Watch::start();
    assert_eq!(send(Arc::new(Memory(4)).number()).await, Ok(4));
    assert_eq!((TRIES.bodies(), watch.seen()), (3, (3, 0)));
}

/// `#[async_trait]`, `#[instrument]` above, `RetryError`.
/// One span for each attempt, and the body has the error inside.
#[tokio::test(start_paused = true)]
async fn span_above_retry_error() {
    static TRIES: Tries = Tries::failing(3);
    #[async_trait]
    trait Store {
        async fn number(&self) -> Result<u32, RetryError<Failed>>;
    }
    #[async_trait]
    impl Store for Memory {
        #[instrument(err(Debug))]
        #[retry]
        async fn number(&self) -> Result<u32, RetryError<Failed>> {
            TRIES.answer(self.0).await
        }
    }
    let watch = Watch::start();
    assert_eq!(send(Memory(4).number()).await.map_err(|error| error.attempts()), Err(3));
    assert_eq!((TRIES.bodies(), watch.seen()), (3, (3, 3)));
}

/// `#[trait_variant::make]` on the trait, an `async fn` in the `impl`.
/// As any other method.
#[tokio::test(start_paused = true)]
async fn variant() {
    static TRIES: Tries = Tries::failing(2);
    #[trait_variant::make(Send)]
    trait Store {
        async fn count(&mut self, name: String) -> Result<(u32, String), Failed>;
    }
    impl Store for Memory {
        #[retry(clone(name))]
        async fn count(&mut self, mut name: String) -> Result<(u32, String), Failed> {
            self.0 += 1;
            name.push('!');
            TRIES.answer((self.0, name)).await
        }
    }
    assert_eq!(send(Memory(0).count("a".to_owned())).await, Ok((3, "a!".to_owned())));
    assert_eq!(TRIES.bodies(), 3);
}

/// `#[trait_variant::make]` with a second name, a default method that returns a future.
/// The future of the variant is `Send`.
#[tokio::test(start_paused = true)]
async fn variant_default() {
    static TRIES: Tries = Tries::failing(2);
    #[trait_variant::make(Store: Send)]
    trait LocalStore: Sync {
        fn size(&self) -> usize;

        #[retry]
        fn double(&self) -> impl Future<Output = Result<usize, Failed>> {
            async move { TRIES.answer(self.size() * 2).await }
        }
    }
    impl Store for Memory {
        fn size(&self) -> usize {
            self.0 as usize
        }
    }
    assert_eq!(send(Store::double(&Memory(2))).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
    assert_eq!(local(LocalStore::double(&Memory(2))).await, Ok(4));
    assert_eq!(TRIES.bodies(), 4);
}

/// `#[trait_variant::make]`, `&mut self` only looked at.
/// The future of the variant is `Send`, although the type is not `Sync`.
#[tokio::test(start_paused = true)]
async fn variant_not_sync() {
    static TRIES: Tries = Tries::failing(2);
    #[trait_variant::make(Send)]
    trait Store {
        async fn number(&mut self) -> Result<u32, Failed>;
    }
    impl Store for Cell<u32> {
        #[retry]
        async fn number(&mut self) -> Result<u32, Failed> {
            TRIES.answer(self.get()).await
        }
    }
    assert_eq!(send(Cell::new(4).number()).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}
