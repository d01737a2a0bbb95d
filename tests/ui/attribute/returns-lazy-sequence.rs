use std::pin::Pin;

use futures_util::{Stream, stream::empty};
use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry]
async fn iterator() -> impl Iterator<Item = Result<u8, MyError>> {
    std::iter::empty()
}

#[retry]
async fn boxed() -> Box<dyn Iterator<Item = Result<u8, MyError>>> {
    Box::new(std::iter::empty())
}

#[retry]
async fn stream() -> impl Stream<Item = Result<u8, MyError>> {
    empty()
}

#[retry]
async fn boxed_stream() -> Pin<Box<dyn Stream<Item = Result<u8, MyError>> + Send>> {
    Box::pin(empty())
}

fn main() {}
