use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry]
async fn fetch() -> () {}

fn main() {}
