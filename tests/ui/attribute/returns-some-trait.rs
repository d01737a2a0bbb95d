use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry]
async fn debug() -> impl std::fmt::Debug { //~ ERROR an `impl Trait` does not show whether it is one
    MyError
}

fn main() {}
