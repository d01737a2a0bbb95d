use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempts = "unlimited", deadline = none, budget = none)] //~ ERROR "unlimited" attempts need an explicit `inner`
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
