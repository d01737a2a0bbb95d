//! `#[tracing::instrument]` with `err` and `ret`.
//!
//! Below `#[retry]` it records the result of the call, above `#[retry]` that of each attempt: so the
//! failures that a retry made good are seen only there.

use futures_util::future::BoxFuture;
use stormless::{RetryError, retry};
use tracing::instrument;

use crate::{
    spans::Watch,
    support::{Failed, Tries, send},
};

/// `err` below.
/// One event for a call that fails, none for one that a retry saves.
#[tokio::test(start_paused = true)]
async fn below_err() {
    static TRIES: Tries = Tries::failing(5);
    #[retry]
    #[instrument(err(Debug))]
    async fn same(id: u32) -> Result<u32, Failed> {
        TRIES.answer(id).await
    }
    let watch = Watch::start();
    assert_eq!(send(same(4)).await, Err(Failed));
    assert_eq!((TRIES.bodies(), watch.seen()), (3, (1, 1)));
    assert_eq!(send(same(4)).await, Ok(4));
    assert_eq!((TRIES.bodies(), watch.seen()), (6, (2, 1)));
}

/// `err` above.
/// One event for each attempt that fails.
#[tokio::test(start_paused = true)]
async fn above_err() {
    static TRIES: Tries = Tries::failing(2);
    #[instrument(err(Debug))]
    #[retry]
    async fn same(id: u32, name: String) -> Result<usize, Failed> {
        TRIES.answer(name.len()).await
    }
    let watch = Watch::start();
    assert_eq!(send(same(4, "a".to_owned())).await, Ok(1));
    assert_eq!((TRIES.bodies(), watch.seen()), (3, (3, 2)));
}

/// `ret` below.
/// One event for the result of the call.
#[tokio::test(start_paused = true)]
async fn below_ret() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    #[instrument(ret)]
    async fn same(id: u32) -> Result<u32, Failed> {
        TRIES.answer(id).await
    }
    let watch = Watch::start();
    assert_eq!(send(same(4)).await, Ok(4));
    assert_eq!((TRIES.bodies(), watch.seen()), (3, (1, 1)));
}

/// `ret` above.
/// One event for the result of each attempt.
#[tokio::test(start_paused = true)]
async fn above_ret() {
    static TRIES: Tries = Tries::failing(2);
    #[instrument(ret)]
    #[retry]
    async fn same(id: u32, name: String) -> Result<usize, Failed> {
        TRIES.answer(name.len()).await
    }
    let watch = Watch::start();
    assert_eq!(send(same(4, "a".to_owned())).await, Ok(1));
    assert_eq!((TRIES.bodies(), watch.seen()), (3, (3, 3)));
}

/// `err` and `ret` below, `&mut self`.
/// One event for the call, whichever way it ends.
#[tokio::test(start_paused = true)]
async fn below_both() {
    static TRIES: Tries = Tries::failing(2);
    struct Store(u32);
    impl Store {
        #[retry(clone(name))]
        #[instrument(err(Debug), ret, skip_all)]
        async fn count(&mut self, name: String) -> Result<(u32, String), Failed> {
            self.0 += 1;
            TRIES.answer((self.0, name)).await
        }
    }
    let watch = Watch::start();
    assert_eq!(send(Store(0).count("a".to_owned())).await, Ok((3, "a".to_owned())));
    assert_eq!((TRIES.bodies(), watch.seen()), (3, (1, 1)));
}

/// `err` and `ret` above, `&mut self`.
/// One event for each attempt, as an error or as a value.
#[tokio::test(start_paused = true)]
async fn above_both() {
    static TRIES: Tries = Tries::failing(2);
    struct Store(u32);
    impl Store {
        #[instrument(err(Debug), ret, skip_all)]
        #[retry(clone(name))]
        async fn count(&mut self, name: String) -> Result<(u32, String), Failed> {
            self.0 += 1;
            TRIES.answer((self.0, name)).await
        }
    }
    let watch = Watch::start();
    assert_eq!(send(Store(0).count("a".to_owned())).await, Ok((3, "a".to_owned())));
    assert_eq!((TRIES.bodies(), watch.seen()), (3, (3, 3)));
}

/// `err` above, with `?` and an early return in the body.
/// Both end the attempt inside its span.
#[tokio::test(start_paused = true)]
async fn above_err_with_early_ends() {
    static TRIES: Tries = Tries::failing(1);
    #[instrument(err(Debug), skip_all)]
    #[retry]
    async fn parsed(texts: Vec<String>) -> Result<u32, Failed> {
        TRIES.answer(()).await?;
        for text in &texts {
            if text.len() > 1 {
                return Ok(text.parse()?);
            }
        }
        Err(Failed)
    }
    let watch = Watch::start();
    assert_eq!(send(parsed(vec!["4".to_owned(), "44".to_owned()])).await, Ok(44));
    assert_eq!((TRIES.bodies(), watch.seen()), (2, (2, 1)));
}

/// `err` and `ret` above, with `RetryError`.
/// What is recorded is the body's own error.
#[tokio::test(start_paused = true)]
async fn above_both_with_retry_error() {
    static TRIES: Tries = Tries::failing(3);
    #[instrument(err(Debug), ret)]
    #[retry]
    async fn fails() -> Result<(), RetryError<Failed>> {
        TRIES.answer(()).await
    }
    let watch = Watch::start();
    assert_eq!(send(fails()).await.map_err(|error| error.attempts()), Err(3));
    assert_eq!((TRIES.bodies(), watch.seen()), (3, (3, 3)));
}

/// `#[instrument]` below, a boxed future.
/// One span for the call.
#[tokio::test(start_paused = true)]
async fn below_boxed() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    #[instrument(err(Debug), ret)]
    fn length(name: String) -> BoxFuture<'static, Result<usize, Failed>> {
        Box::pin(async move { TRIES.answer(name.len()).await })
    }
    let watch = Watch::start();
    assert_eq!(send(length("four".to_owned())).await, Ok(4));
    assert_eq!((TRIES.bodies(), watch.seen()), (3, (1, 1)));
}

/// `#[instrument]` above, a boxed future.
/// One span for each attempt.
#[tokio::test(start_paused = true)]
async fn above_boxed() {
    static TRIES: Tries = Tries::failing(2);
    #[instrument(err(Debug), ret)]
    #[retry]
    fn length(name: String) -> BoxFuture<'static, Result<usize, Failed>> {
        Box::pin(async move { TRIES.answer(name.len()).await })
    }
    let watch = Watch::start();
    assert_eq!(send(length("four".to_owned())).await, Ok(4));
    assert_eq!((TRIES.bodies(), watch.seen()), (3, (3, 3)));
}
