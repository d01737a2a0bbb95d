use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(deadline = "0s")] //~ ERROR `deadline` is zero
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
