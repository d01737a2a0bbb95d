use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempts = 3, base = "1s", attempts = 4)] //~ ERROR `attempts` is given twice
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
