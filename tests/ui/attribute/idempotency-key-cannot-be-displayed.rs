use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry(idempotency_key = order)] //~ ERROR `Order` doesn't implement `std::fmt::Display`
async fn variable(order: &Order) -> Result<(), MyError> {
    let _ = order;
    Ok(())
}

#[retry(idempotency_key = (order.shop, order.number))] //~ ERROR `(u32, u64)` doesn't implement `std::fmt::Display`
async fn pair(order: &Order) -> Result<(), MyError> {
    let _ = order;
    Ok(())
}

struct Order {
    shop: u32,
    number: u64,
}

fn main() {}
