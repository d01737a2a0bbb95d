use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry(idempotent, hedge = "100ms")]
async fn send(body: Vec<u8>) -> Result<(), MyError> { //~ ERROR cannot move out of `body`
    upload(body).await
}

async fn upload(_: Vec<u8>) -> Result<(), MyError> {
    Err(MyError)
}

fn main() {}
