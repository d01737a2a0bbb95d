use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(base = "5s", max = "1s")] //~ ERROR `base` ("5s") is above `max` ("1s")
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
