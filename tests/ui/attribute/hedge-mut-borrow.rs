use std::pin::Pin;

use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry(idempotent, hedge = "100ms")]
async fn fetch(buffer: &mut Vec<u8>) -> Result<(), MyError> { //~ ERROR cannot share a `&mut`
    buffer.push(1);
    Ok(())
}

#[retry(idempotent, hedge = "100ms")]
async fn pinned(stream: Pin<&mut Vec<u8>>) -> Result<(), MyError> { //~ ERROR cannot share a `&mut`
    drop(stream);
    Ok(())
}

fn main() {}
