use std::pin::Pin;

use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry]
fn text() -> Pin<Box<dyn Future<Output = Result<String, MyError>> + Send>> {
    Box::pin(async move { Err(MyError) })
}

fn main() {}
