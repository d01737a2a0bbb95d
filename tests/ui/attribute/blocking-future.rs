use std::{future::Future, pin::Pin};

use stormless::{Retryable, retry};

#[derive(Debug, Retryable)]
#[retryable(transient)]
struct Unavailable;

#[retry(blocking)] //~ ERROR `blocking` is for functions that do not return a future
fn call() -> Pin<Box<dyn Future<Output = Result<u8, Unavailable>> + Send>> {
    Box::pin(async move { Ok(1) })
}

fn main() {}
