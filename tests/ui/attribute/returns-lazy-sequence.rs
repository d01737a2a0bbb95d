// R169

use std::pin::Pin;

use futures_util::{Stream, stream::empty};
use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry]
async fn iterator() -> impl Iterator<Item = Result<u8, MyError>> { //~ ERROR a lazy sequence fails while it is read, when the attempt is over
    std::iter::empty()
}

#[retry]
async fn boxed() -> Box<dyn Iterator<Item = Result<u8, MyError>>> { //~ ERROR a lazy sequence fails while it is read, when the attempt is over
    Box::new(std::iter::empty())
}

#[retry]
async fn stream() -> impl Stream<Item = Result<u8, MyError>> { //~ ERROR a lazy sequence fails while it is read, when the attempt is over
    empty()
}

#[retry]
async fn boxed_stream() -> Pin<Box<dyn Stream<Item = Result<u8, MyError>> + Send>> { //~ ERROR a lazy sequence fails while it is read, when the attempt is over
    Box::pin(empty())
}

fn main() {}
