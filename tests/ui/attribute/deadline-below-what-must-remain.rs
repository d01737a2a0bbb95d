use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(min_remaining = "2s", time_per_attempt = "3s", deadline = "1s")] //~ ERROR `min_remaining` ("2s") leaves nothing of `deadline` ("1s") //~ ERROR `time_per_attempt` ("3s") is above `deadline` ("1s")
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
