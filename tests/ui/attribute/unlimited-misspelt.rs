use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempts = "unlimitted")] //~ ERROR "unlimitted" is no number of attempts
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
