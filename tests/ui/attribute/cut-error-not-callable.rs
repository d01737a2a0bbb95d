use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry(deadline = "1s", cut_error = LATE)] //~ ERROR expected a `FnOnce(Cut)` closure, found `u8`
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

const LATE: u8 = 0;

fn main() {}
