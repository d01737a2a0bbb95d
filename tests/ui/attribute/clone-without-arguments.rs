use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(clone(request))]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
