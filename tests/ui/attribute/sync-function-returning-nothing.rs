use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry]
fn fetch() {} //~ ERROR `#[retry]` needs an `async fn`

fn main() {}
