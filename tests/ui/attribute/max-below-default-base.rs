use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(max = "10ms")] //~ ERROR the default `base` (50ms) is above `max` ("10ms")
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
