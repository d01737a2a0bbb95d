use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry(idempotent = order.retries)] //~ ERROR expected `bool`, found `u32`
async fn field(order: &Order) -> Result<(), MyError> {
    let _ = order;
    Ok(())
}

#[retry(idempotent = IDEMPOTENT)] //~ ERROR expected `bool`, found `u8`
async fn constant() -> Result<(), MyError> {
    Ok(())
}

#[retry(policy = order.policy, idempotent = order.retries)] //~ ERROR expected `bool`, found `u32`
async fn with_policy(order: &Order) -> Result<(), MyError> {
    let _ = order;
    Ok(())
}

struct Order {
    retries: u32,
    policy: stormless::Policy,
}

const IDEMPOTENT: u8 = 1;

fn main() {}
