use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(deadline = none, expect = "p95")] //~ ERROR `expect` has no effect: with `deadline = none` there is time for every attempt
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
