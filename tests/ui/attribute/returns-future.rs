use std::pin::Pin;

use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry]
async fn future() -> impl Future<Output = Result<u8, MyError>> {
    async { Err(MyError) }
}

#[retry]
async fn boxed() -> Pin<Box<dyn Future<Output = Result<u8, MyError>>>> {
    Box::pin(async { Err(MyError) })
}

#[retry]
async fn handle() -> tokio::task::JoinHandle<Result<u8, MyError>> {
    tokio::spawn(async { Err(MyError) })
}

fn main() {}
