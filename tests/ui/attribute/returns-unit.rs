use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry]
async fn fetch() -> () {} //~ ERROR `#[retry]` needs a function that returns `Result<_, _>`: this one returns nothing

fn main() {}
