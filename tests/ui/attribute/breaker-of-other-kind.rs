use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(breaker = 5)] //~ ERROR `breaker` is fixed at compile time
async fn number() -> Result<(), MyError> {
    Ok(())
}

#[retry(breaker = true)] //~ ERROR `breaker` is fixed at compile time
async fn boolean() -> Result<(), MyError> {
    Ok(())
}

#[retry(breaker = orders)] //~ ERROR `breaker` is fixed at compile time
async fn variable() -> Result<(), MyError> {
    Ok(())
}

#[retry(breaker = orders())] //~ ERROR `breaker` is fixed at compile time
async fn call() -> Result<(), MyError> {
    Ok(())
}

#[retry(breaker = &&ORDERS)] //~ ERROR `breaker` is fixed at compile time
async fn twice() -> Result<(), MyError> {
    Ok(())
}

#[retry(breaker)] //~ ERROR `breaker` needs a value, write `breaker = "orders"`
async fn flag() -> Result<(), MyError> {
    Ok(())
}

#[retry(breaker(ORDERS))] //~ ERROR `breaker` is written with `=`: `breaker = "orders"`
async fn list() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
