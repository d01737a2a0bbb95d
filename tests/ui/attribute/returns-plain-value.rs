use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry]
async fn boolean() -> bool {
    true
}

#[retry]
async fn number() -> u64 {
    1
}

#[retry]
async fn text() -> String {
    String::new()
}

#[retry]
async fn function() -> fn() -> Result<u8, MyError> {
    || Err(MyError)
}

fn main() {}
