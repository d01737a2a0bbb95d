use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(base = , attempts = 3)] //~ ERROR `base` lacks its value
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
