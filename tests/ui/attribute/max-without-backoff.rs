use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(backoff = "none", max = "1s", factor = 2.0)] //~ ERROR `max` has no effect: backoff "none" does not wait //~ ERROR `factor` has no effect: backoff "none" does not wait
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
