use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(max_retries = 3)] //~ ERROR unknown setting `max_retries`
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
