use stormless::{Retryable, retry};

#[retry(deadline = "1s")] //~ ERROR `E` cannot say that the deadline passed
async fn deadline<E: Retryable>() -> Result<(), E> {
    Ok(())
}

#[retry(attempt_timeout = "1s")] //~ ERROR `E` cannot say that an attempt timed out
async fn timeout<E: Retryable>() -> Result<(), E> {
    Ok(())
}

#[retry(deadline = "1s", attempt_timeout = "1s")] //~ ERROR `E` cannot say that an attempt timed out //~ ERROR `E` cannot say that the deadline passed
async fn both<E: Retryable>() -> Result<(), E> {
    Ok(())
}

fn main() {}
