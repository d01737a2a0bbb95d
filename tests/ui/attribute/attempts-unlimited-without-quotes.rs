use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempts = unlimited)] //~ ERROR write "unlimited" in quotes
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
