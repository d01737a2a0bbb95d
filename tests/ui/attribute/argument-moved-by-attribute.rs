use stormless::{Budget, Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry(budget = pick(order))]
async fn send(order: String) -> Result<(), MyError> { //~ ERROR borrow of moved value: `order`
    let _ = order.len();
    Ok(())
}

fn pick(_: String) -> &'static Budget {
    static BUDGET: Budget = Budget::new("orders");
    &BUDGET
}

fn main() {}
