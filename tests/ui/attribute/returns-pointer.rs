use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry]
async fn boxed() -> Box<Result<u8, MyError>> {
    Box::new(Err(MyError))
}

#[retry]
async fn shared() -> std::sync::Arc<Result<u8, MyError>> {
    std::sync::Arc::new(Err(MyError))
}

#[retry]
async fn reference() -> &'static Result<u8, MyError> {
    &Err(MyError)
}

fn main() {}
