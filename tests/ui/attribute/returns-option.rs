use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry]
async fn fetch() -> Option<u8> {
    None
}

fn main() {}
