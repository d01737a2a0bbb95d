use stormless::{Breaker, Retryable, retry};

#[derive(Debug, Retryable)]
#[retryable(breaker_open)]
struct Open;

const ORDERS: Breaker = Breaker::new("orders");

#[retry(breaker = ORDERS)] //~ ERROR destructor of `stormless::Breaker` cannot be evaluated at compile-time
async fn fetch() -> Result<(), Open> {
    Ok(())
}

fn main() {}
