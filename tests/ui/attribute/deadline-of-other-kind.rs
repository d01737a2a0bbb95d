use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(deadline = 3)] //~ ERROR `3` has no unit, write it in quotes with one
async fn number() -> Result<(), MyError> {
    Ok(())
}

#[retry(deadline = "soon")] //~ ERROR `soon` is not a duration, since `soon` is not a number with a unit
async fn string() -> Result<(), MyError> {
    Ok(())
}

#[retry(deadline = true)] //~ ERROR `deadline` needs a literal with a unit
async fn boolean() -> Result<(), MyError> {
    Ok(())
}

#[retry(deadline = 1.5)] //~ ERROR `1.5` has no unit, write it in quotes with one
async fn float() -> Result<(), MyError> {
    Ok(())
}

#[retry(deadline(3))] //~ ERROR `deadline` is written with `=`: `deadline = "5s"`
async fn list() -> Result<(), MyError> {
    Ok(())
}

#[retry(deadline)] //~ ERROR `deadline` needs a value, write `deadline = "5s"`
async fn flag() -> Result<(), MyError> {
    Ok(())
}

#[retry(deadline = -1)] //~ ERROR `deadline` is -1: a duration cannot be negative
async fn negative() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
