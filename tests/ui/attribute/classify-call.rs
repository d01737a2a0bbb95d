use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(classify = classifier())]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
