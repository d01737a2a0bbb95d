use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry]
async fn never() -> ! { //~ ERROR this one never returns
    panic!()
}

fn main() {}
