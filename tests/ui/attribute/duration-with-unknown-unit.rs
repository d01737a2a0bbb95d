use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(base = "5sec")] //~ ERROR `sec` is not a unit
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
