use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry]
async fn fetch(ready: bool) -> Result<u64, MyError> {
    if !ready {
        break; //~ ERROR `break` inside `async` block
    }
    Ok(1)
}

#[retry]
async fn again(ready: bool) -> Result<u64, MyError> {
    if !ready {
        continue; //~ ERROR `continue` inside `async` block
    }
    Ok(1)
}

fn main() {}
