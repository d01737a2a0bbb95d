use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(expect = p95)] //~ ERROR write "p95" in quotes: `expect = "p95"`
async fn bare() -> Result<(), MyError> {
    Ok(())
}

#[retry(expect = 95)] //~ ERROR `expect` needs one of "p50"
async fn number() -> Result<(), MyError> {
    Ok(())
}

#[retry(expect = 0.95)] //~ ERROR `expect` needs one of "p50"
async fn share() -> Result<(), MyError> {
    Ok(())
}

#[retry(expect)] //~ ERROR `expect` needs a value, write `expect = "p95"`
async fn flag() -> Result<(), MyError> {
    Ok(())
}

#[retry(expect = none)] //~ ERROR `expect` needs one of "p50"
async fn none() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
