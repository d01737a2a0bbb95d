use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry(budget = ORDERS)] //~ ERROR destructor of `stormless::Budget` cannot be evaluated at compile-time
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

const ORDERS: stormless::Budget = stormless::Budget::new("orders");

fn main() {}
