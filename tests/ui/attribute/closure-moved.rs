use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry]
async fn send(make: impl FnOnce() -> Result<(), MyError>) -> Result<(), MyError> { //~ ERROR use of moved value: `make`
    make()
}

fn main() {}
