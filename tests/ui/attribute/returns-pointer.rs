use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry]
async fn boxed() -> Box<Result<u8, MyError>> { //~ ERROR a pointer to one is none; return the `Result` itself
    Box::new(Err(MyError))
}

#[retry]
async fn shared() -> std::sync::Arc<Result<u8, MyError>> { //~ ERROR a pointer to one is none; return the `Result` itself
    std::sync::Arc::new(Err(MyError))
}

#[retry]
async fn reference() -> &'static Result<u8, MyError> { //~ ERROR a reference is none; return the `Result` itself
    &Err(MyError)
}

fn main() {}
