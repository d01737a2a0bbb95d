use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempts = "three")] //~ ERROR "three" is no number of attempts
async fn string() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempts = true)] //~ ERROR `attempts` needs a whole number of at least 1
async fn boolean() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempts = none)] //~ ERROR `none` is no value of `attempts`
async fn none() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempts = |x| x)] //~ ERROR `attempts` is fixed at compile time
async fn closure() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempts = [3])] //~ ERROR `attempts` is fixed at compile time
async fn array() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempts = 's')] //~ ERROR `attempts` needs a whole number of at least 1
async fn character() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempts = 3u64)] //~ ERROR `attempts` needs a whole number of at least 1
async fn suffix() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempts = pause)] //~ ERROR `attempts` needs a whole number of at least 1
async fn path() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempts = pause())] //~ ERROR `attempts` is fixed at compile time
async fn call() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempts(3))] //~ ERROR `attempts` is written with `=`: `attempts = 3`
async fn list() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempts)] //~ ERROR `attempts` needs a value, write `attempts = 3`
async fn flag() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
