use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(inner = allow)] //~ ERROR write "allow" in quotes
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
