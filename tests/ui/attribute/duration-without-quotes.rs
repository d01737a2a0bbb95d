use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(base = 50)] //~ ERROR `50` has no unit
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
