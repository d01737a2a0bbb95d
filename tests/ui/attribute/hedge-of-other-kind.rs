use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry(idempotent, hedge = 100)] //~ ERROR `100` has no unit
async fn number() -> Result<(), MyError> {
    Ok(())
}

#[retry(idempotent, hedge = "p96")] //~ ERROR "p96" is no value of `hedge`
async fn quantile() -> Result<(), MyError> {
    Ok(())
}

#[retry(idempotent, hedge = "soon")] //~ ERROR `soon` is not a duration
async fn word() -> Result<(), MyError> {
    Ok(())
}

#[retry(idempotent, hedge)] //~ ERROR `hedge` needs a value
async fn flag() -> Result<(), MyError> {
    Ok(())
}

#[retry(idempotent, hedge = "0ms")] //~ ERROR `hedge` is zero
async fn zero() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
