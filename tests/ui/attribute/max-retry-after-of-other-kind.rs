use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(max_retry_after = "soon")] //~ ERROR `soon` is not a duration, since `soon` is not a number with a unit
async fn string() -> Result<(), MyError> {
    Ok(())
}

#[retry(max_retry_after = true)] //~ ERROR `max_retry_after` needs a literal with a unit
async fn boolean() -> Result<(), MyError> {
    Ok(())
}

#[retry(max_retry_after = none)] //~ ERROR `none` is no value of `max_retry_after`
async fn none() -> Result<(), MyError> {
    Ok(())
}

#[retry(max_retry_after = |x| x)] //~ ERROR `max_retry_after` is fixed at compile time
async fn closure() -> Result<(), MyError> {
    Ok(())
}

#[retry(max_retry_after = [3])] //~ ERROR `max_retry_after` is fixed at compile time
async fn array() -> Result<(), MyError> {
    Ok(())
}

#[retry(max_retry_after = 1.5)] //~ ERROR `1.5` has no unit, write it in quotes with one
async fn float() -> Result<(), MyError> {
    Ok(())
}

#[retry(max_retry_after = pause)] //~ ERROR `max_retry_after` needs a literal with a unit or the path of a const
async fn path() -> Result<(), MyError> {
    Ok(())
}

#[retry(max_retry_after(3))] //~ ERROR `max_retry_after` is written with `=`
async fn list() -> Result<(), MyError> {
    Ok(())
}

#[retry(max_retry_after)] //~ ERROR `max_retry_after` needs a value
async fn flag() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
