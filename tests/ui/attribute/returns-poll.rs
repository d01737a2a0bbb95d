use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry]
async fn poll() -> std::task::Poll<Result<u8, MyError>> { //~ ERROR a `Poll` is for futures written by hand
    std::task::Poll::Ready(Err(MyError))
}

fn main() {}
