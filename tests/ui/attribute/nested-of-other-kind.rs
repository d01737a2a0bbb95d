use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(nested = 3)] //~ ERROR `nested` needs one of "suppress"
async fn number() -> Result<(), MyError> {
    Ok(())
}

#[retry(nested = "sometimes")] //~ ERROR "sometimes" is no value of `nested`
async fn string() -> Result<(), MyError> {
    Ok(())
}

#[retry(nested = true)] //~ ERROR `nested` needs one of "suppress"
async fn boolean() -> Result<(), MyError> {
    Ok(())
}

#[retry(nested = none)] //~ ERROR `nested` needs one of "suppress"
async fn none() -> Result<(), MyError> {
    Ok(())
}

#[retry(nested = |x| x)] //~ ERROR `nested` needs one of "suppress"
async fn closure() -> Result<(), MyError> {
    Ok(())
}

#[retry(nested = [3])] //~ ERROR `nested` needs one of "suppress"
async fn array() -> Result<(), MyError> {
    Ok(())
}

#[retry(nested = pause)] //~ ERROR `nested` needs one of "suppress"
async fn path() -> Result<(), MyError> {
    Ok(())
}

#[retry(nested(3))] //~ ERROR `nested` is written with `=`: `nested = "independent"`
async fn list() -> Result<(), MyError> {
    Ok(())
}

#[retry(nested)] //~ ERROR `nested` needs a value, write `nested = "independent"`
async fn flag() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
