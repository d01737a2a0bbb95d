use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(min_remaining = "soon")] //~ ERROR `soon` is not a duration, since `soon` is not a number with a unit
async fn string() -> Result<(), MyError> {
    Ok(())
}

#[retry(min_remaining = true)] //~ ERROR `min_remaining` needs a literal with a unit
async fn boolean() -> Result<(), MyError> {
    Ok(())
}

#[retry(min_remaining = none)] //~ ERROR `none` is no value of `min_remaining`
async fn none() -> Result<(), MyError> {
    Ok(())
}

#[retry(min_remaining = |x| x)] //~ ERROR `min_remaining` is fixed at compile time
async fn closure() -> Result<(), MyError> {
    Ok(())
}

#[retry(min_remaining = [3])] //~ ERROR `min_remaining` is fixed at compile time
async fn array() -> Result<(), MyError> {
    Ok(())
}

#[retry(min_remaining = 1.5)] //~ ERROR `1.5` has no unit, write it in quotes with one
async fn float() -> Result<(), MyError> {
    Ok(())
}

#[retry(min_remaining = pause)] //~ ERROR `min_remaining` needs a literal with a unit or the path of a const
async fn path() -> Result<(), MyError> {
    Ok(())
}

#[retry(min_remaining(3))] //~ ERROR `min_remaining` is written with `=`: `min_remaining = "100ms"`
async fn list() -> Result<(), MyError> {
    Ok(())
}

#[retry(min_remaining)] //~ ERROR `min_remaining` needs a value, write `min_remaining = "100ms"`
async fn flag() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
