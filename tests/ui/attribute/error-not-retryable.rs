use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
