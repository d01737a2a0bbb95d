use stormless::{Retryable, retry};

#[derive(Retryable)]
enum MyError {
    #[retryable(attempt_timeout)]
    TooSlow,
    #[retryable(deadline_exceeded)]
    TooLate,
}

#[retry(idempotent, attempt_timeout = "1s", hedge = "1s")] //~ ERROR is not below `attempt_timeout`
async fn timeout() -> Result<(), MyError> {
    Ok(())
}

#[retry(
    idempotent,
    hedge = "2s",
    deadline = "1s", //~ ERROR `hedge` ("2s") is not below `deadline` ("1s")
)]
async fn deadline() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
