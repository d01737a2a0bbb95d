use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry = "attempts = 3"] //~ ERROR @attribute key-value macro attributes are not supported //~ ERROR expected a setting such as `attempts = 3`
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
