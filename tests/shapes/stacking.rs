//! `#[tracing::instrument]`.
//!
//! The attribute on top is applied first. Below `#[retry]`, the span is around the whole call with all
//! its attempts and waits. Above, `#[retry]` finds the span in the body that it repeats: one span for
//! each attempt. What `#[instrument]` would move into a span's future, the attempts borrow.

use stormless::{RetryError, retry};
use tracing::instrument;

use crate::{
    spans::Watch,
    support::{Failed, Tries, send},
};

/// `#[instrument]` below, `&self`.
/// One span for the call.
#[tokio::test(start_paused = true)]
async fn below_shared() {
    static TRIES: Tries = Tries::failing(2);
    #[derive(Debug)]
    struct Store(u32);
    impl Store {
        #[retry]
        #[instrument]
        async fn number(&self) -> Result<u32, Failed> {
            TRIES.answer(self.0).await
        }
    }
    let watch = Watch::start();
    assert_eq!(send(Store(4).number()).await, Ok(4));
    assert_eq!((TRIES.bodies(), watch.seen()), (3, (1, 0)));
}

/// `#[instrument]` above, `&self`.
/// One span for each attempt.
#[tokio::test(start_paused = true)]
async fn above_shared() {
    static TRIES: Tries = Tries::failing(2);
    #[derive(Debug)]
    struct Store(u32);
    impl Store {
        #[instrument]
        #[retry]
        async fn number(&self) -> Result<u32, Failed> {
            TRIES.answer(self.0).await
        }
    }
    let watch = Watch::start();
    assert_eq!(send(Store(4).number()).await, Ok(4));
    assert_eq!((TRIES.bodies(), watch.seen()), (3, (3, 0)));
}

/// `#[instrument]` below, `&mut self`.
/// One span, and each attempt sees what the attempts before it changed.
#[tokio::test(start_paused = true)]
async fn below_exclusive() {
    static TRIES: Tries = Tries::failing(2);
    #[derive(Debug)]
    struct Store(u32);
    impl Store {
        #[retry]
        #[instrument(skip_all)]
        async fn count(&mut self) -> Result<u32, Failed> {
            self.0 += 1;
            TRIES.answer(self.0).await
        }
    }
    let (watch, mut store) = (Watch::start(), Store(0));
    assert_eq!(send(store.count()).await, Ok(3));
    assert_eq!((TRIES.bodies(), watch.seen()), (3, (1, 0)));
}

/// `#[instrument]` above, `&mut self`.
/// One span for each attempt, whose field shows what the attempts before it changed.
#[tokio::test(start_paused = true)]
async fn above_exclusive() {
    static TRIES: Tries = Tries::failing(2);
    #[derive(Debug)]
    struct Store(u32);
    impl Store {
        #[instrument]
        #[retry]
        async fn count(&mut self) -> Result<u32, Failed> {
            self.0 += 1;
            TRIES.answer(self.0).await
        }
    }
    let (watch, mut store) = (Watch::start(), Store(0));
    assert_eq!(send(store.count()).await, Ok(3));
    assert_eq!((TRIES.bodies(), watch.seen()), (3, (3, 0)));
}

/// `#[instrument]` below, an owned argument looked at.
/// All attempts borrow it.
#[tokio::test(start_paused = true)]
async fn below_owned() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    #[instrument(skip(name))]
    async fn length(name: String, more: usize) -> Result<usize, Failed> {
        TRIES.answer(name.len() + more).await
    }
    let watch = Watch::start();
    assert_eq!(send(length("four".to_owned(), 1)).await, Ok(5));
    assert_eq!((TRIES.bodies(), watch.seen()), (3, (1, 0)));
}

/// `#[instrument]` above, an owned argument looked at.
/// All attempts borrow it, although `#[instrument]` alone would move it into its span's future.
#[tokio::test(start_paused = true)]
async fn above_owned() {
    static TRIES: Tries = Tries::failing(2);
    #[instrument(skip(name))]
    #[retry]
    async fn length(name: String, more: usize) -> Result<usize, Failed> {
        TRIES.answer(name.len() + more).await
    }
    let watch = Watch::start();
    assert_eq!(send(length("four".to_owned(), 1)).await, Ok(5));
    assert_eq!((TRIES.bodies(), watch.seen()), (3, (3, 0)));
}

/// `#[instrument]` below, an owned argument given away.
/// Each attempt gives away a clone.
#[tokio::test(start_paused = true)]
async fn below_cloned() {
    static TRIES: Tries = Tries::failing(2);
    #[retry(clone(name))]
    #[instrument]
    async fn same(name: String) -> Result<String, Failed> {
        TRIES.answer(name).await
    }
    let watch = Watch::start();
    assert_eq!(send(same("a".to_owned())).await, Ok("a".to_owned()));
    assert_eq!((TRIES.bodies(), watch.seen()), (3, (1, 0)));
}

/// `#[instrument]` above, an owned argument given away.
/// Each attempt gives away a clone, in a span of its own that can show it.
#[tokio::test(start_paused = true)]
async fn above_cloned() {
    static TRIES: Tries = Tries::failing(2);
    #[instrument]
    #[retry(clone(name))]
    async fn same(name: String) -> Result<String, Failed> {
        TRIES.answer(name).await
    }
    let watch = Watch::start();
    assert_eq!(send(same("a".to_owned())).await, Ok("a".to_owned()));
    assert_eq!((TRIES.bodies(), watch.seen()), (3, (3, 0)));
}

/// `#[instrument]` above, a `mut` argument.
/// Each attempt changes a clone of its own.
#[tokio::test(start_paused = true)]
async fn above_changed() {
    static TRIES: Tries = Tries::failing(2);
    #[instrument(skip_all, fields(length = name.len()))]
    #[retry(clone(name))]
    async fn louder(mut name: String) -> Result<String, Failed> {
        name.push('!');
        TRIES.answer(name).await
    }
    let watch = Watch::start();
    assert_eq!(send(louder("a".to_owned())).await, Ok("a!".to_owned()));
    assert_eq!((TRIES.bodies(), watch.seen()), (3, (3, 0)));
}

/// `#[instrument]` below, with fields.
/// They are read once, before the first attempt.
#[tokio::test(start_paused = true)]
async fn below_fields() {
    static TRIES: Tries = Tries::failing(2);
    static READ: Tries = Tries::failing(0);
    #[retry]
    #[instrument(skip_all, fields(id = %id, read = READ.run().is_ok()))]
    async fn same(id: u32) -> Result<u32, Failed> {
        TRIES.answer(id).await
    }
    let watch = Watch::start();
    assert_eq!(send(same(4)).await, Ok(4));
    assert_eq!((TRIES.bodies(), READ.bodies(), watch.seen()), (3, 1, (1, 0)));
}

/// `#[instrument]` above, with fields.
/// They are read anew for each attempt.
#[tokio::test(start_paused = true)]
async fn above_fields() {
    static TRIES: Tries = Tries::failing(2);
    static READ: Tries = Tries::failing(0);
    #[instrument(skip_all, fields(id = %id, read = READ.run().is_ok()))]
    #[retry]
    async fn same(id: u32) -> Result<u32, Failed> {
        TRIES.answer(id).await
    }
    let watch = Watch::start();
    assert_eq!(send(same(4)).await, Ok(4));
    assert_eq!((TRIES.bodies(), READ.bodies(), watch.seen()), (3, 3, (3, 0)));
}

/// `#[instrument]` above, generic, with a borrowed result.
/// One span for each attempt, and the signature stays what it is.
#[tokio::test(start_paused = true)]
async fn above_generic() {
    static TRIES: Tries = Tries::failing(2);
    #[instrument(skip_all)]
    #[retry]
    async fn first<'a, T: Sync>(values: &'a [T], _: &str) -> Result<Option<&'a T>, Failed> {
        TRIES.answer(values.first()).await
    }
    let watch = Watch::start();
    assert_eq!(send(first(&[4, 5], "")).await, Ok(Some(&4)));
    assert_eq!((TRIES.bodies(), watch.seen()), (3, (3, 0)));
}

/// `#[instrument]` below, with `RetryError`.
/// One span for the call.
#[tokio::test(start_paused = true)]
async fn below_retry_error() {
    static TRIES: Tries = Tries::failing(3);
    #[retry]
    #[instrument]
    async fn fails() -> Result<(), RetryError<Failed>> {
        TRIES.answer(()).await
    }
    let watch = Watch::start();
    assert_eq!(send(fails()).await.map_err(|error| error.attempts()), Err(3));
    assert_eq!((TRIES.bodies(), watch.seen()), (3, (1, 0)));
}

/// `#[instrument]` above, with `RetryError`.
/// One span for each attempt, and the body has the error inside.
#[tokio::test(start_paused = true)]
async fn above_retry_error() {
    static TRIES: Tries = Tries::failing(3);
    #[instrument]
    #[retry]
    async fn fails() -> Result<(), RetryError<Failed>> {
        TRIES.answer(()).await
    }
    let watch = Watch::start();
    assert_eq!(send(fails()).await.map_err(|error| error.attempts()), Err(3));
    assert_eq!((TRIES.bodies(), watch.seen()), (3, (3, 0)));
}
