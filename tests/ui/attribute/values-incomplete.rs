use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempts = 3 +)] //~ ERROR the value of `attempts` is not complete
async fn operator() -> Result<(), MyError> {
    Ok(())
}

#[retry(on_retry = |event|)] //~ ERROR the value of `on_retry` is not complete
async fn closure() -> Result<(), MyError> {
    Ok(())
}

#[retry(budget = &)] //~ ERROR the value of `budget` is not complete
async fn borrow() -> Result<(), MyError> {
    Ok(())
}

#[retry(base = Limits::)] //~ ERROR the value of `base` is not complete
async fn path() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempts =)] //~ ERROR `attempts` lacks its value, write `attempts = 3`
async fn nothing() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
