//! Functions that return a future.
//!
//! A `fn` that ends in an `async` block, boxed or not, is taken for what it is: what stands before the
//! block runs once, when the function is called, and the block is what is repeated. An alias hides
//! the result's type from `#[retry]`, but not from the compiler.

#![expect(clippy::manual_async_fn, reason = "shapes under test")]

use std::{future::Future, pin::Pin, rc::Rc};

use futures_util::future::{BoxFuture, FutureExt, LocalBoxFuture};
use stormless::{RetryError, retry};

use crate::support::{Failed, Tries, local, send};

/// `Pin<Box<dyn Future>>`.
/// The future stays on its thread, as the plain one does.
#[tokio::test(start_paused = true)]
async fn boxed() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    fn same(id: u32) -> Pin<Box<dyn Future<Output = Result<u32, Failed>>>> {
        Box::pin(async move { TRIES.answer(id).await })
    }
    assert_eq!(local(same(4)).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// `Pin<Box<dyn Future + Send>>`.
/// The future may be spawned.
#[tokio::test(start_paused = true)]
async fn boxed_send() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    fn length(name: String) -> Pin<Box<dyn Future<Output = Result<usize, Failed>> + Send>> {
        Box::pin(async move { TRIES.answer(name.len()).await })
    }
    assert_eq!(tokio::spawn(length("four".to_owned())).await.ok(), Some(Ok(4)));
    assert_eq!(TRIES.bodies(), 3);
}

/// `Pin<Box<dyn Future + Send + 'a>>`.
/// The attempts borrow what the future does, and the result may as well.
#[tokio::test(start_paused = true)]
async fn boxed_with_a_lifetime() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    fn same<'a>(
        seen: &'a mut Vec<u8>,
        name: &'a str,
    ) -> Pin<Box<dyn Future<Output = Result<&'a str, Failed>> + Send + 'a>> {
        Box::pin(async move {
            seen.push(1);
            TRIES.answer(name).await
        })
    }
    let mut seen = Vec::new();
    assert_eq!(send(same(&mut seen, "a")).await, Ok("a"));
    assert_eq!((TRIES.bodies(), seen.len()), (3, 3));
}

/// `BoxFuture`.
/// As the type that it stands for.
#[tokio::test(start_paused = true)]
async fn box_future() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    fn length(name: &str) -> BoxFuture<'_, Result<usize, Failed>> {
        Box::pin(async move { TRIES.answer(name.len()).await })
    }
    assert_eq!(send(length("four")).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// `BoxFuture`, by `.boxed()`.
/// What boxes the future stays behind the loop.
#[tokio::test(start_paused = true)]
async fn box_future_by_method() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    fn length(name: &str) -> BoxFuture<'_, Result<usize, Failed>> {
        async move { TRIES.answer(name.len()).await }.boxed()
    }
    assert_eq!(send(length("four")).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// `BoxFuture`, by `.boxed()` of a block in parentheses.
/// As without them.
#[tokio::test(start_paused = true)]
async fn box_future_by_method_of_parentheses() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    fn length(name: &str) -> BoxFuture<'_, Result<usize, Failed>> {
        (async move { TRIES.answer(name.len()).await }).boxed()
    }
    assert_eq!(send(length("four")).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// `LocalBoxFuture`, by `.boxed_local()`.
/// The future stays on its thread.
#[tokio::test(start_paused = true)]
async fn local_box_future() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    fn length<'a>(name: Rc<str>) -> LocalBoxFuture<'a, Result<usize, Failed>> {
        async move { TRIES.answer(name.len()).await }.boxed_local()
    }
    assert_eq!(local(length("four".into())).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// An alias of a boxed future.
/// The compiler finds the result's type, for coercions too.
#[tokio::test(start_paused = true)]
async fn alias() {
    static TRIES: Tries = Tries::failing(2);
    type Answer<'a> = Pin<Box<dyn Future<Output = Result<usize, Failed>> + Send + 'a>>;
    #[retry]
    fn parsed(text: &str) -> Answer<'_> {
        Box::pin(async move {
            TRIES.answer(()).await?;
            Ok(text.parse::<u8>()?.into())
        })
    }
    assert_eq!(send(parsed("4")).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// `impl Future`.
/// The future is not boxed by `#[retry]` either.
#[tokio::test(start_paused = true)]
async fn unboxed() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    fn same(id: u32) -> impl Future<Output = Result<u32, Failed>> {
        async move { TRIES.answer(id).await }
    }
    assert_eq!(send(same(4)).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// `impl Future + Send + use<..>`.
/// What the future captures is what the signature says.
#[tokio::test(start_paused = true)]
async fn unboxed_capturing() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    fn same<'a, T: Clone + Send + Sync>(
        value: &'a T,
        name: &str,
    ) -> impl Future<Output = Result<(T, usize), Failed>> + Send + use<'a, T> {
        let length = name.len();
        async move { TRIES.answer((value.clone(), length)).await }
    }
    let future = {
        let name = "four".to_owned();
        same(&'a', &name)
    };
    assert_eq!(send(future).await, Ok(('a', 4)));
    assert_eq!(TRIES.bodies(), 3);
}

/// A boxed future of a `RetryError`.
/// The block has the error inside.
#[tokio::test(start_paused = true)]
async fn retry_error() {
    static TRIES: Tries = Tries::failing(3);
    #[retry]
    fn fails(id: u32) -> BoxFuture<'static, Result<u32, RetryError<Failed>>> {
        Box::pin(async move { TRIES.answer(id).await })
    }
    assert_eq!(send(fails(4)).await.map_err(|error| error.attempts()), Err(3));
    assert_eq!(TRIES.bodies(), 3);
    assert_eq!(send(fails(4)).await.ok(), Some(4));
}
