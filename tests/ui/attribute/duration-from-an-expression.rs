use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(base = std::time::Duration::from_millis(50))] //~ ERROR `base` is fixed at compile time
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
