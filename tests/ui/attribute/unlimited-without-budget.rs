use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempts = "unlimited", deadline = none, inner = "allow")] //~ ERROR "unlimited" attempts need an explicit `budget`
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
