use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempt_timeout = "soon")] //~ ERROR `soon` is not a duration, since `soon` is not a number with a unit
async fn string() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempt_timeout = true)] //~ ERROR `attempt_timeout` needs a literal with a unit
async fn boolean() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempt_timeout = none)] //~ ERROR `none` is no value of `attempt_timeout`
async fn none() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempt_timeout = |x| x)] //~ ERROR `attempt_timeout` is fixed at compile time
async fn closure() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempt_timeout = [3])] //~ ERROR `attempt_timeout` is fixed at compile time
async fn array() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempt_timeout = 1.5)] //~ ERROR `1.5` has no unit, write it in quotes with one
async fn float() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempt_timeout = pause)] //~ ERROR `attempt_timeout` needs a literal with a unit or the path of a const
async fn path() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempt_timeout(3))] //~ ERROR `attempt_timeout` is written with `=`
async fn list() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempt_timeout)] //~ ERROR `attempt_timeout` needs a value
async fn flag() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
