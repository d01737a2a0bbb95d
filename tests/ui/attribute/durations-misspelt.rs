use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(base = "")]
async fn empty() -> Result<(), MyError> {
    Ok(())
}

#[retry(base = "-5s")]
async fn negative() -> Result<(), MyError> {
    Ok(())
}

#[retry(base = "5 s")]
async fn spaced() -> Result<(), MyError> {
    Ok(())
}

#[retry(base = "1s1m")]
async fn ascending() -> Result<(), MyError> {
    Ok(())
}

#[retry(base = "1s1s")]
async fn repeated() -> Result<(), MyError> {
    Ok(())
}

#[retry(base = "99999999999999999999s")]
async fn too_long() -> Result<(), MyError> {
    Ok(())
}

#[retry(base = "1e3s")]
async fn exponent() -> Result<(), MyError> {
    Ok(())
}

#[retry(base = "5S")]
async fn upper_case() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
