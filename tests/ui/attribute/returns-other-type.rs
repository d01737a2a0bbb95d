use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry]
async fn class() -> std::cmp::Ordering {
    std::cmp::Ordering::Less
}

#[retry]
async fn flow() -> std::ops::ControlFlow<MyError, u8> {
    std::ops::ControlFlow::Continue(1)
}

fn main() {}
