use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(deadline = "none")] //~ ERROR write `none` without quotes
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
