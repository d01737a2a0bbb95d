use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(max = "1s", base = "5s")] //~ ERROR `base` ("5s") is above `max` ("1s")
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
