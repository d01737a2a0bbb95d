use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(breaker = "none")] //~ ERROR this names a breaker "none": write `breaker = none` for no breaker
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
