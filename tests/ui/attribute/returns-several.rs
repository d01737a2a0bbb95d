use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry]
async fn several() -> Vec<Result<u8, MyError>> {
    vec![Err(MyError)]
}

#[retry]
async fn array() -> [Result<u8, MyError>; 1] {
    [Err(MyError)]
}

#[retry]
async fn pair() -> (u8, Result<u8, MyError>) {
    (1, Err(MyError))
}

fn main() {}
