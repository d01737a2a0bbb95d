use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry(idempotent, hedge = "100ms")]
async fn send(slot: Option<&mut u32>) -> Result<(), MyError> { //~ ERROR cannot move out of `slot`
    if let Some(slot) = slot {
        *slot += 1;
    }
    Err(MyError)
}

fn main() {}
