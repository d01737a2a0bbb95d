use std::pin::Pin;

use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry]
async fn future() -> impl Future<Output = Result<u8, MyError>> { //~ ERROR a future is none; await it in the body and return what it yields
    async { Err(MyError) }
}

#[retry]
async fn boxed() -> Pin<Box<dyn Future<Output = Result<u8, MyError>>>> { //~ ERROR a future is none; await it in the body and return what it yields
    Box::pin(async { Err(MyError) })
}

#[retry]
async fn handle() -> tokio::task::JoinHandle<Result<u8, MyError>> { //~ ERROR the task's result comes later
    tokio::spawn(async { Err(MyError) })
}

fn main() {}
