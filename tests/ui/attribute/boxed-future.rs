use std::pin::Pin;

use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry]
fn text() -> Pin<Box<dyn Future<Output = Result<String, MyError>> + Send>> { //~ ERROR `#[retry]` needs an `async fn`: this function returns a boxed future
    Box::pin(async move { Err(MyError) })
}

fn main() {}
