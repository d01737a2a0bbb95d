use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry]
async fn fetch() -> Answer<u8> {
    Ok(1)
}

type Answer<T> = Result<T, MyError>;

fn main() {}
