use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry(attempt_timeout = "1s", cut_error = |_: stormless::AttemptTimeout| MyError)] //~ ERROR type mismatch in closure arguments
async fn closure() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempt_timeout = "1s", cut_error = late)] //~ ERROR type mismatch in function arguments
async fn path() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempt_timeout = "1s", cut_error = || MyError)] //~ ERROR closure is expected to take 1 argument
async fn no_argument() -> Result<(), MyError> {
    Ok(())
}

fn late(_: stormless::DeadlineExceeded) -> MyError {
    MyError
}

fn main() {}
