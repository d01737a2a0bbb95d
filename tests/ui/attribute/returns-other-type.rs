use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry]
async fn class() -> std::cmp::Ordering { //~ ERROR `#[retry]` needs a function that returns `Result<_, _>`
    std::cmp::Ordering::Less
}

#[retry]
async fn flow() -> std::ops::ControlFlow<MyError, u8> { //~ ERROR `#[retry]` needs a function that returns `Result<_, _>`
    std::ops::ControlFlow::Continue(1)
}

fn main() {}
