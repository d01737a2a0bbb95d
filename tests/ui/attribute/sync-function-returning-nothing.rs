use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry]
fn fetch() {}

fn main() {}
