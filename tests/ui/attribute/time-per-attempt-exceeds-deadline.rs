use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(deadline = "1s", time_per_attempt = "2s")] //~ ERROR `time_per_attempt` ("2s") is above `deadline` ("1s")
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
