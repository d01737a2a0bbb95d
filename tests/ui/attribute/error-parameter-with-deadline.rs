use stormless::{Retryable, retry};

#[retry(deadline = "1s")]
async fn deadline<E: Retryable>() -> Result<(), E> {
    Ok(())
}

#[retry(attempt_timeout = "1s")]
async fn timeout<E: Retryable>() -> Result<(), E> {
    Ok(())
}

#[retry(deadline = "1s", attempt_timeout = "1s")]
async fn both<E: Retryable>() -> Result<(), E> {
    Ok(())
}

fn main() {}
