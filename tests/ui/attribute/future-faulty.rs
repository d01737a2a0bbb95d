use std::{future::Future, pin::Pin};

use stormless::{Classification, Retryable, retry};

struct NotYet;

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

type Boxed<T> = Pin<Box<dyn Future<Output = T> + Send>>;

#[retry]
fn written() -> Pin<Box<dyn Future<Output = Result<(), NotYet>> + Send>> { //~ ERROR `NotYet` does not say which of its values a retry can help
    Box::pin(async move { Ok(()) })
}

#[retry]
fn alias() -> Boxed<Result<(), NotYet>> { //~ ERROR `NotYet` does not say which of its values a retry can help
    Box::pin(async move { Ok(()) })
}

#[retry]
fn alias_of_nothing() -> Boxed<Vec<u8>> { //~ ERROR `#[retry]` needs a function that returns `Result<_, _>`
    Box::pin(async move { Vec::new() })
}

#[retry]
fn body_wrong() -> Boxed<Result<u8, MyError>> {
    Box::pin(async move { Ok("1") }) //~ ERROR expected `Result<u8, MyError>`, found `Result<&str, _>`
}

#[retry]
fn body_wrong_written() -> Pin<Box<dyn Future<Output = Result<u8, MyError>> + Send>> {
    Box::pin(async move { 1 }) //~ ERROR expected `Result<u8, MyError>`, found integer
}

fn main() {}
