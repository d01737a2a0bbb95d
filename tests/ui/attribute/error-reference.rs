use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry]
async fn reference() -> Result<(), &'static MyError> {
    Ok(())
}

#[retry]
async fn boxed() -> Result<(), Box<MyError>> {
    Ok(())
}

#[retry]
async fn shared() -> Result<(), std::sync::Arc<MyError>> {
    Ok(())
}

fn main() {}
