use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(max = "soon")] //~ ERROR `soon` is not a duration, since `soon` is not a number with a unit
async fn string() -> Result<(), MyError> {
    Ok(())
}

#[retry(max = true)] //~ ERROR `max` needs a literal with a unit, as in `max = "20s"`
async fn boolean() -> Result<(), MyError> {
    Ok(())
}

#[retry(max = none)] //~ ERROR `none` is no value of `max`
async fn none() -> Result<(), MyError> {
    Ok(())
}

#[retry(max = |x| x)] //~ ERROR `max` is fixed at compile time
async fn closure() -> Result<(), MyError> {
    Ok(())
}

#[retry(max = [3])] //~ ERROR `max` is fixed at compile time
async fn array() -> Result<(), MyError> {
    Ok(())
}

#[retry(max = 1.5)] //~ ERROR `1.5` has no unit, write it in quotes with one
async fn float() -> Result<(), MyError> {
    Ok(())
}

#[retry(max = pause)] //~ ERROR `max` needs a literal with a unit or the path of a const `Duration`
async fn path() -> Result<(), MyError> {
    Ok(())
}

#[retry(max(3))] //~ ERROR `max` is written with `=`: `max = "20s"`
async fn list() -> Result<(), MyError> {
    Ok(())
}

#[retry(max)] //~ ERROR `max` needs a value, write `max = "20s"`
async fn flag() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
