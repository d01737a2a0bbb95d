use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry]
async fn debug() -> impl std::fmt::Debug {
    MyError
}

fn main() {}
