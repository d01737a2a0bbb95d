use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry(idempotent, hedge_max = 1)] //~ ERROR `hedge_max` needs a `hedge`
async fn alone() -> Result<(), MyError> {
    Ok(())
}

#[retry(idempotent, hedge = "1s", hedge_max = 0)] //~ ERROR `hedge_max` is 0
async fn zero() -> Result<(), MyError> {
    Ok(())
}

#[retry(idempotent, hedge = "1s", hedge_max = -1)] //~ ERROR `hedge_max` is -1
async fn negative() -> Result<(), MyError> {
    Ok(())
}

#[retry(idempotent, hedge = "1s", hedge_max = "two")] //~ ERROR `hedge_max` needs a whole number
async fn word() -> Result<(), MyError> {
    Ok(())
}

#[retry(idempotent, hedge = "1s", hedge_max = 3, attempts = 3)] //~ ERROR so write `attempts = 4`
async fn too_many() -> Result<(), MyError> {
    Ok(())
}

#[retry(idempotent, hedge = "1s", attempts = 1)] //~ ERROR `hedge` has no effect beside `attempts = 1`
async fn single() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
