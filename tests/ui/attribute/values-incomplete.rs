use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempts = 3 +)]
async fn operator() -> Result<(), MyError> {
    Ok(())
}

#[retry(on_retry = |event|)]
async fn closure() -> Result<(), MyError> {
    Ok(())
}

#[retry(budget = &)]
async fn borrow() -> Result<(), MyError> {
    Ok(())
}

#[retry(base = Limits::)]
async fn path() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempts =)]
async fn nothing() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
