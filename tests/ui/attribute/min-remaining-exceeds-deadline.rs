use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(deadline = "1s", min_remaining = "1s")] //~ ERROR `min_remaining` ("1s") leaves nothing of `deadline` ("1s")
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
