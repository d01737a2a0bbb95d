use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(on_retry = async |event| log(event).await)] //~ ERROR `on_retry` is called between attempts and cannot wait
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
