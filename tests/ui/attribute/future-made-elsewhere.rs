use std::{future::Future, pin::Pin};

use stormless::{Retryable, retry};

#[derive(Debug, Retryable)]
#[retryable(transient)]
struct Unavailable;

async fn call() -> Result<u8, Unavailable> {
    Ok(1)
}

#[retry]
fn boxed() -> Pin<Box<dyn Future<Output = Result<u8, Unavailable>> + Send>> { //~ ERROR the future is made elsewhere
    Box::pin(call())
}

#[retry]
fn unboxed() -> impl Future<Output = Result<u8, Unavailable>> { //~ ERROR the future is made elsewhere
    call()
}

fn main() {}
