use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(factor = "two")] //~ ERROR `factor` needs a number of at least 1 or the path of a const `f64`
async fn string() -> Result<(), MyError> {
    Ok(())
}

#[retry(factor = true)] //~ ERROR `factor` needs a number of at least 1 or the path of a const `f64`
async fn boolean() -> Result<(), MyError> {
    Ok(())
}

#[retry(factor = none)] //~ ERROR `none` is no value of `factor`
async fn none() -> Result<(), MyError> {
    Ok(())
}

#[retry(factor = |x| x)] //~ ERROR `factor` is fixed at compile time
async fn closure() -> Result<(), MyError> {
    Ok(())
}

#[retry(factor = [3])] //~ ERROR `factor` is fixed at compile time
async fn array() -> Result<(), MyError> {
    Ok(())
}

#[retry(factor = -2)] //~ ERROR `factor` is -2: below 1 the delays would shrink
async fn negative() -> Result<(), MyError> {
    Ok(())
}

#[retry(factor = pause)] //~ ERROR `factor` needs a number of at least 1 or the path of a const `f64`
async fn path() -> Result<(), MyError> {
    Ok(())
}

#[retry(factor = pause())] //~ ERROR `factor` is fixed at compile time
async fn call() -> Result<(), MyError> {
    Ok(())
}

#[retry(factor(3))] //~ ERROR `factor` is written with `=`: `factor = 2.0`
async fn list() -> Result<(), MyError> {
    Ok(())
}

#[retry(factor)] //~ ERROR `factor` needs a value, write `factor = 2.0`
async fn flag() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
