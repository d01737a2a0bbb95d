use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(time_per_attempt = "soon")] //~ ERROR `soon` is not a duration, since `soon` is not a number with a unit
async fn string() -> Result<(), MyError> {
    Ok(())
}

#[retry(time_per_attempt = true)] //~ ERROR `time_per_attempt` needs a literal with a unit
async fn boolean() -> Result<(), MyError> {
    Ok(())
}

#[retry(time_per_attempt = none)] //~ ERROR `none` is no value of `time_per_attempt`
async fn none() -> Result<(), MyError> {
    Ok(())
}

#[retry(time_per_attempt = |x| x)] //~ ERROR `time_per_attempt` is fixed at compile time
async fn closure() -> Result<(), MyError> {
    Ok(())
}

#[retry(time_per_attempt = [3])] //~ ERROR `time_per_attempt` is fixed at compile time
async fn array() -> Result<(), MyError> {
    Ok(())
}

#[retry(time_per_attempt = 1.5)] //~ ERROR `1.5` has no unit, write it in quotes with one
async fn float() -> Result<(), MyError> {
    Ok(())
}

#[retry(time_per_attempt = pause)] //~ ERROR `time_per_attempt` needs a literal with a unit or the path of a const
async fn path() -> Result<(), MyError> {
    Ok(())
}

#[retry(time_per_attempt(3))] //~ ERROR `time_per_attempt` is written with `=`
async fn list() -> Result<(), MyError> {
    Ok(())
}

#[retry(time_per_attempt)] //~ ERROR `time_per_attempt` needs a value
async fn flag() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
