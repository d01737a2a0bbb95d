use std::{future::Future, pin::Pin};

use stormless::{Retryable, retry};

#[derive(Debug, Retryable)]
#[retryable(transient)]
struct Unavailable;

async fn call() -> Result<u8, Unavailable> {
    Ok(1)
}

#[retry]
fn boxed(cached: bool) -> Pin<Box<dyn Future<Output = Result<u8, Unavailable>> + Send>> {
    if cached {
        return Box::pin(async { call().await }); //~ ERROR not the one that is returned here
    }
    Box::pin(async move { call().await })
}

#[retry]
fn refused(cached: bool) -> Pin<Box<dyn Future<Output = Result<u8, Unavailable>> + Send>> {
    if cached {
        return Box::pin(async { Err(Unavailable) });
    }
    Box::pin(async move { call().await })
}

#[retry]
fn elsewhere(cached: bool) -> Pin<Box<dyn Future<Output = Result<u8, Unavailable>> + Send>> {
    if cached {
        return boxed(cached); //~ ERROR not the one that is returned here
    }
    Box::pin(async move { call().await })
}

fn main() {}
