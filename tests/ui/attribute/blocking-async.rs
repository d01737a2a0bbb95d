use stormless::{Retryable, retry};

#[derive(Debug, Retryable)]
#[retryable(transient)]
struct Unavailable;

#[retry(blocking)] //~ ERROR `blocking` is for functions without `async`
async fn call() -> Result<u8, Unavailable> {
    Ok(1)
}

fn main() {}
