use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry]
async fn fetch() -> Option<u8> { //~ ERROR an `Option` does not say why there is nothing
    None
}

fn main() {}
