use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry(budget = ORDRES)] //~ ERROR cannot find value `ORDRES` in this scope
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
