use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempts = "unlimited", budget = none, inner = "allow")] //~ ERROR "unlimited" attempts need an explicit `deadline`
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
