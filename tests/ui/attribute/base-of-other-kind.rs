use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(base = "soon")] //~ ERROR `soon` is not a duration, since `soon` is not a number with a unit
async fn string() -> Result<(), MyError> {
    Ok(())
}

#[retry(base = true)] //~ ERROR `base` needs a literal with a unit, as in `base = "50ms"`
async fn boolean() -> Result<(), MyError> {
    Ok(())
}

#[retry(base = none)] //~ ERROR `none` is no value of `base`
async fn none() -> Result<(), MyError> {
    Ok(())
}

#[retry(base = |x| x)] //~ ERROR `base` is fixed at compile time
async fn closure() -> Result<(), MyError> {
    Ok(())
}

#[retry(base = [3])] //~ ERROR `base` is fixed at compile time
async fn array() -> Result<(), MyError> {
    Ok(())
}

#[retry(base = 1.5)] //~ ERROR `1.5` has no unit, write it in quotes with one
async fn float() -> Result<(), MyError> {
    Ok(())
}

#[retry(base = pause)] //~ ERROR `base` needs a literal with a unit or the path of a const `Duration`
async fn path() -> Result<(), MyError> {
    Ok(())
}

#[retry(base(3))] //~ ERROR `base` is written with `=`: `base = "50ms"`
async fn list() -> Result<(), MyError> {
    Ok(())
}

#[retry(base)] //~ ERROR `base` needs a value, write `base = "50ms"`
async fn flag() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
