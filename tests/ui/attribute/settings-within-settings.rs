use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(retry(attempts = 3))]
async fn itself() -> Result<(), MyError> {
    Ok(())
}

#[retry(backoff(base = "1s", max = "2s"))]
async fn grouped() -> Result<(), MyError> {
    Ok(())
}

#[retry(fixed = "1s")]
async fn fixed() -> Result<(), MyError> {
    Ok(())
}

#[retry(full_jitter)]
async fn full_jitter() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
