//! Return types.
//!
//! The caller gets the type that the function says: the value of the attempt that worked, or the error
//! of the last one.

use std::{convert::Infallible, error::Error, fmt::Display, rc::Rc};

use stormless::{Classification, RetryError, StopReason, retry};

use crate::support::{Failed, Tries, send};

/// `Result<(), E>`.
/// The plainest of all.
#[tokio::test(start_paused = true)]
async fn unit() {
    static TRIES: Tries = Tries::failing(3);
    #[retry]
    async fn ping() -> Result<(), Failed> {
        TRIES.answer(()).await
    }
    assert_eq!(send(ping()).await, Err(Failed));
    assert_eq!(TRIES.bodies(), 3);
}

/// `Result` under a full path.
/// As the short one.
#[tokio::test(start_paused = true)]
async fn full_path() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn number() -> ::core::result::Result<u8, Failed> {
        TRIES.answer(4).await
    }
    assert_eq!(send(number()).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// `Result<impl Trait, E>`.
/// The hidden type is that of the body.
#[tokio::test(start_paused = true)]
async fn hidden() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn evens() -> Result<impl Iterator<Item = u8> + Send, Failed> {
        TRIES.answer((0..3).map(|number| number * 2)).await
    }
    assert_eq!(send(evens()).await.unwrap().collect::<Vec<_>>(), [0, 2, 4]);
    assert_eq!(TRIES.bodies(), 3);
}

/// `Result<impl Fn, E>` and nested `impl Trait`.
/// A closure that the last attempt made, over an argument.
#[tokio::test(start_paused = true)]
async fn closure() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn adder(by: &u8) -> Result<(impl Fn(u8) -> u8 + Send, impl Display + Send), Failed> {
        let by = *by;
        TRIES.answer((move |number| number + by, "adder")).await
    }
    let (add, name) = send(adder(&2)).await.unwrap();
    assert_eq!((add(1), name.to_string()), (3, "adder".to_owned()));
    assert_eq!(TRIES.bodies(), 3);
}

/// `Result<Box<dyn Trait>, E>`.
/// `Ok(Box::new(..))` becomes what the function says.
#[tokio::test(start_paused = true)]
async fn boxed_dyn() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn label(short: bool) -> Result<Box<dyn Display + Send>, Failed> {
        TRIES.answer(()).await?;
        if short {
            return Ok(Box::new('a'));
        }
        Ok(Box::new("long".to_owned()))
    }
    assert_eq!(send(label(false)).await.unwrap().to_string(), "long");
    assert_eq!(TRIES.bodies(), 3);
}

/// `Result<&'static dyn Trait, E>`.
/// The same for references.
#[tokio::test(start_paused = true)]
async fn static_dyn() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn label() -> Result<&'static (dyn Display + Sync), Failed> {
        TRIES.answer(()).await?;
        Ok(&"label")
    }
    assert_eq!(send(label()).await.unwrap().to_string(), "label");
    assert_eq!(TRIES.bodies(), 3);
}

/// `Result<Result<T, E1>, E2>`.
/// Only the outer error is retried; the inner one is an answer.
#[tokio::test(start_paused = true)]
async fn result_in_result() {
    static TRIES: Tries = Tries::failing(1);
    #[retry]
    async fn parse(text: &str) -> Result<Result<u8, std::num::ParseIntError>, Failed> {
        TRIES.answer(text.parse()).await
    }
    assert!(send(parse("x")).await.unwrap().is_err());
    assert_eq!(TRIES.bodies(), 2);
}

/// `Result<Option<T>, E>`.
/// `None` is an answer too.
#[tokio::test(start_paused = true)]
async fn option_in_result() {
    static TRIES: Tries = Tries::failing(1);
    #[retry]
    async fn find(id: u8) -> Result<Option<String>, Failed> {
        TRIES.answer((id == 1).then(String::new)).await
    }
    assert_eq!(send(find(2)).await, Ok(None));
    assert_eq!(TRIES.bodies(), 2);
}

/// `Result<Infallible, E>`.
/// A body that only ever ends in an error.
#[tokio::test(start_paused = true)]
async fn only_errors() {
    static TRIES: Tries = Tries::failing(9);
    #[retry]
    async fn serve() -> Result<Infallible, Failed> {
        loop {
            TRIES.answer(()).await?;
        }
    }
    assert_eq!(send(serve()).await, Err(Failed));
    assert_eq!(TRIES.bodies(), 3);
}

/// `Result<T, RetryError<E>>`.
/// The body still works with `E` and `?`; the caller learns how often it ran and why that was all.
#[tokio::test(start_paused = true)]
async fn told_why() {
    static TRIES: Tries = Tries::failing(9);
    #[retry(attempts = 2)]
    async fn number(text: &str) -> Result<u8, RetryError<Failed>> {
        let number = text.parse()?;
        TRIES.answer(number).await
    }
    let error = send(number("7")).await.unwrap_err();
    assert_eq!((error.attempts(), error.reason()), (2, StopReason::AttemptsExhausted));
    assert_eq!((TRIES.bodies(), error.into_inner()), (2, Some(Failed)));
}

/// An error that is not `Send`.
/// It is gone before the wait, so the future is `Send` where the plain one is.
#[tokio::test(start_paused = true)]
async fn error_of_one_thread() {
    static TRIES: Tries = Tries::failing(2);
    #[retry(classify = |_: &Rc<str>| Classification::transient())]
    async fn number() -> Result<u8, Rc<str>> {
        tokio::task::yield_now().await;
        TRIES.run().map(|()| 4).map_err(|_| "failed".into())
    }
    assert_eq!(send(number()).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// `Result<T, Box<dyn Error>>`.
/// A type that many errors are put into says nothing about retries, so `classify` does.
#[tokio::test(start_paused = true)]
async fn boxed_error() {
    static TRIES: Tries = Tries::failing(2);
    #[retry(classify = |_| Classification::transient())]
    async fn parse(text: &str) -> Result<u8, Box<dyn Error + Send + Sync>> {
        TRIES.answer(()).await.map_err(|_| "failed")?;
        Ok(text.parse()?)
    }
    assert_eq!(send(parse("7")).await.unwrap(), 7);
    assert_eq!(TRIES.bodies(), 3);
}
