use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempts = 3 base = "1s")] //~ ERROR expected `,` between two settings
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
