use stormless::{AttemptTimeout, Retryable, retry};

#[derive(Debug, Retryable)]
enum Failed {
    #[retryable(attempt_timeout)]
    Slow(AttemptTimeout),
}

#[retry(blocking, attempt_timeout = "1s")] //~ ERROR `attempt_timeout` has no effect
fn call() -> Result<u8, Failed> {
    Ok(1)
}

fn main() {}
