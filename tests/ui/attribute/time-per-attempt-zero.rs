use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(time_per_attempt = "0s")] //~ ERROR `time_per_attempt` is zero
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
