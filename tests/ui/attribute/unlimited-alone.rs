use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempts = "unlimited")] //~ ERROR "unlimited" attempts need an explicit `deadline`, `budget`, `inner`
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
