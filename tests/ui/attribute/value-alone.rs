use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(3)] //~ ERROR expected a setting such as `attempts = 3`
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
