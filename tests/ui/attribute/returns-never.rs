use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry]
async fn never() -> ! {
    panic!()
}

fn main() {}
