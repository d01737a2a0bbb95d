use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(crate = "stormless")] //~ ERROR `crate` needs a path without quotes
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
