use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry]
async fn fetch(id: u64) -> Result<u64, MyError> {
    let id = id +; //~ ERROR expected expression, found `;`
    Ok(id)
}

fn main() {}
