use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(inner = 3)] //~ ERROR `inner` needs one of "suppress"
async fn number() -> Result<(), MyError> {
    Ok(())
}

#[retry(inner = "sometimes")] //~ ERROR "sometimes" is no value of `inner`
async fn string() -> Result<(), MyError> {
    Ok(())
}

#[retry(inner = true)] //~ ERROR `inner` needs one of "suppress"
async fn boolean() -> Result<(), MyError> {
    Ok(())
}

#[retry(inner = none)] //~ ERROR `inner` needs one of "suppress"
async fn none() -> Result<(), MyError> {
    Ok(())
}

#[retry(inner = |x| x)] //~ ERROR `inner` needs one of "suppress"
async fn closure() -> Result<(), MyError> {
    Ok(())
}

#[retry(inner = [3])] //~ ERROR `inner` needs one of "suppress"
async fn array() -> Result<(), MyError> {
    Ok(())
}

#[retry(inner = pause)] //~ ERROR `inner` needs one of "suppress"
async fn path() -> Result<(), MyError> {
    Ok(())
}

#[retry(inner(3))] //~ ERROR `inner` is written with `=`: `inner = "allow"`
async fn list() -> Result<(), MyError> {
    Ok(())
}

#[retry(inner)] //~ ERROR `inner` needs a value, write `inner = "allow"`
async fn flag() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
