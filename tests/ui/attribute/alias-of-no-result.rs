use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry]
async fn fetch() -> Answer { //~ ERROR `#[retry]` needs a function that returns `Result<_, _>`
    Vec::new()
}

type Answer = Vec<u8>;

fn main() {}
