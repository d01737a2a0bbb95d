use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry(clone(request))] //~ ERROR the trait bound `Request: Clone` is not satisfied
async fn send(request: Request) -> Result<(), MyError> {
    drop(request);
    Ok(())
}

struct Request(u8);

fn main() {}
