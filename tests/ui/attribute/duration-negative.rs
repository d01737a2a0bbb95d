use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(base = -5)] //~ ERROR `base` is -5: a duration cannot be negative
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
