//! Functions that return a future: bodies, methods and traits.
//!
//! The block must be the last expression, since only what stands in it can be repeated. It may be
//! wrapped in `Box::pin(..)`, `.boxed()` or `.boxed_local()`, and nothing else.

#![expect(clippy::manual_async_fn, clippy::needless_return, reason = "shapes under test")]

use std::{future::Future, pin::Pin};

use futures_util::future::BoxFuture;
use stormless::retry;

use crate::support::{Failed, Tries, send};

type Boxed<'a, T> = Pin<Box<dyn Future<Output = Result<T, Failed>> + Send + 'a>>;

/// Statements before the block.
/// They run once, when the function is called.
#[tokio::test(start_paused = true)]
async fn statements_before() {
    static TRIES: Tries = Tries::failing(2);
    static BEFORE: Tries = Tries::failing(0);
    #[retry]
    fn length(name: &str) -> Boxed<'_, usize> {
        let length = name.len();
        if BEFORE.run().is_err() {
            return Box::pin(async { Err(Failed) });
        }
        Box::pin(async move { TRIES.answer(length).await })
    }
    let future = length("four");
    assert_eq!((BEFORE.bodies(), TRIES.bodies()), (1, 0), "the call has not begun");
    assert_eq!(send(future).await, Ok(4));
    assert_eq!((BEFORE.bodies(), TRIES.bodies()), (1, 3));
}

/// A block without `move`.
/// It borrows what the function was lent.
#[tokio::test(start_paused = true)]
async fn without_move() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    fn same<'a>() -> impl Future<Output = Result<u32, Failed>> + Send + use<'a> {
        async { TRIES.answer(4).await }
    }
    assert_eq!(send(same()).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// `return Box::pin(..);`.
/// As without the `return`.
#[tokio::test(start_paused = true)]
async fn returned() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    fn same(id: u32) -> Boxed<'static, u32> {
        return Box::pin(async move { TRIES.answer(id).await });
    }
    assert_eq!(send(same(4)).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// `clone(..)` of an argument.
/// Each attempt gets a clone of what the future owns.
#[tokio::test(start_paused = true)]
async fn cloned_argument() {
    static TRIES: Tries = Tries::failing(2);
    #[retry(clone(name))]
    fn louder(mut name: String) -> Boxed<'static, String> {
        Box::pin(async move {
            name.push('!');
            TRIES.answer(name).await
        })
    }
    assert_eq!(send(louder("a".to_owned())).await, Ok("a!".to_owned()));
    assert_eq!(TRIES.bodies(), 3);
}

/// `clone(..)` of a variable bound before the block.
/// Each attempt gets a clone of it.
#[tokio::test(start_paused = true)]
async fn cloned_variable() {
    static TRIES: Tries = Tries::failing(2);
    #[retry(clone(owned))]
    fn same(name: &str) -> Boxed<'static, String> {
        let owned = name.to_owned();
        Box::pin(async move { TRIES.answer(owned).await })
    }
    assert_eq!(send(same("a")).await, Ok("a".to_owned()));
    assert_eq!(TRIES.bodies(), 3);
}

/// A `mut` argument that is changed before the block.
/// The function may change it; each attempt gets a clone of what came out.
#[tokio::test(start_paused = true)]
async fn changed_before() {
    static TRIES: Tries = Tries::failing(2);
    #[retry(clone(name))]
    fn louder(mut name: String) -> Boxed<'static, String> {
        name.push('!');
        Box::pin(async move { TRIES.answer(name).await })
    }
    assert_eq!(send(louder("a".to_owned())).await, Ok("a!".to_owned()));
    assert_eq!(TRIES.bodies(), 3);
}

/// Generic, with a where clause.
/// As a generic `async fn`.
#[tokio::test(start_paused = true)]
async fn generic() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    fn count<'a, T, const N: usize>(values: [T; N], of: &'a T) -> Boxed<'a, usize>
    where
        T: PartialEq + Send + Sync + 'a,
    {
        Box::pin(async move {
            let count = values.iter().filter(|value| *value == of).count();
            TRIES.answer(count).await
        })
    }
    assert_eq!(send(count(['a', 'b', 'a'], &'a')).await, Ok(2));
    assert_eq!(TRIES.bodies(), 3);
}

/// A method that returns a boxed future, `&mut self`.
/// Each attempt sees what the attempts before it changed.
#[tokio::test(start_paused = true)]
async fn method() {
    static TRIES: Tries = Tries::failing(2);
    struct Store(u32);
    impl Store {
        #[retry(on_retry = |_| assert!(self.0 > 0))]
        fn count(&mut self) -> BoxFuture<'_, Result<u32, Failed>> {
            Box::pin(async move {
                self.0 += 1;
                TRIES.answer(self.0).await
            })
        }
    }
    assert_eq!(send(Store(0).count()).await, Ok(3));
    assert_eq!(TRIES.bodies(), 3);
}

/// A method of a trait that returns `impl Future`.
/// In the `impl`, with a plain future or an `async fn`.
#[tokio::test(start_paused = true)]
async fn trait_method() {
    static TRIES: Tries = Tries::failing(2);
    trait Store {
        fn number(&self) -> impl Future<Output = Result<u32, Failed>> + Send;
    }
    struct Memory(u32);
    impl Store for Memory {
        #[retry]
        fn number(&self) -> impl Future<Output = Result<u32, Failed>> + Send {
            async move { TRIES.answer(self.0).await }
        }
    }
    assert_eq!(send(Memory(4).number()).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// A default method of a trait that returns `impl Future`.
/// One site for all that implement the trait.
#[tokio::test(start_paused = true)]
async fn trait_default() {
    static TRIES: Tries = Tries::failing(2);
    trait Store: Sync {
        fn size(&self) -> usize;

        #[retry]
        fn double(&self) -> impl Future<Output = Result<usize, Failed>> + Send {
            async { TRIES.answer(self.size() * 2).await }
        }
    }
    impl Store for str {
        fn size(&self) -> usize {
            self.len()
        }
    }
    assert_eq!(send("ab".double()).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

macro_rules! define {
    ($name:ident, $value:ident, $out:ty, $body:block) => {
        #[retry]
        fn $name($value: u32) -> $out $body
    };
}

/// Made by `macro_rules!`, the body as a `$body:block`.
/// The block is found in the fragment.
#[tokio::test(start_paused = true)]
async fn made_by_a_macro() {
    static TRIES: Tries = Tries::failing(2);
    define!(same, id, Boxed<'static, u32>, {
        let id = id + 1;
        Box::pin(async move { TRIES.answer(id).await })
    });
    assert_eq!(send(same(4)).await, Ok(5));
    assert_eq!(TRIES.bodies(), 3);
}
