use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(on_retry = async |event| log(event).await)]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
