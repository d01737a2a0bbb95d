use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry]
async fn reference() -> Result<(), &'static MyError> { //~ ERROR `&MyError` does not say which of its values a retry can help
    Ok(())
}

#[retry]
async fn boxed() -> Result<(), Box<MyError>> { //~ ERROR `Box<MyError>` does not say which of its values a retry can help
    Ok(())
}

#[retry]
async fn shared() -> Result<(), std::sync::Arc<MyError>> { //~ ERROR `Arc<MyError>` does not say which of its values a retry can help
    Ok(())
}

fn main() {}
