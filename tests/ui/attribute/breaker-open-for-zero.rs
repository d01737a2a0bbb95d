use std::time::Duration;

use stormless::{Breaker, Classification, Retryable, breaker, retry};

#[derive(Debug, Retryable)]
enum MyError {
    #[retryable(with = down)]
    Down,
    #[retryable(breaker_open)]
    Open,
}

fn down(_: &MyError) -> Classification {
    Classification::transient()
}

// R021
breaker! { //~ ERROR a duration of zero
    static ORDERS: Breaker = Breaker::new("orders").open_for(Duration::ZERO);
}

#[retry(breaker = ORDERS)]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
