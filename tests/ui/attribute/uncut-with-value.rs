use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(deadline = "1s", uncut = true)] //~ ERROR `uncut` takes no value
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
