use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(deadline = "1s", uncut)] //~ ERROR `uncut` has no effect: `RetryError<MyError>` can always tell of a cut
async fn fetch() -> Result<(), stormless::RetryError<MyError>> {
    Ok(())
}

fn main() {}
