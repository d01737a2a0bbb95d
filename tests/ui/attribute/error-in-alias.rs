use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry]
async fn fetch() -> Answer<u8> { //~ ERROR `MyError` does not say which of its values a retry can help
    Ok(1)
}

type Answer<T> = Result<T, MyError>;

fn main() {}
