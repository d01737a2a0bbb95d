use stormless::{Budget, Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

impl From<stormless::BreakerOpen> for MyError {
    fn from(_: stormless::BreakerOpen) -> Self {
        Self
    }
}

static ORDERS: Budget = Budget::new("orders");

#[retry(breaker = ORDERS)] //~ ERROR expected `&Breaker`, found `&Budget`
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
