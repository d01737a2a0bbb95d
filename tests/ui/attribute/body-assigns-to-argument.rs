use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry]
async fn fetch(id: u64) -> Result<u64, MyError> {
    id += 1; //~ ERROR cannot assign to `id`, as it is not declared as mutable
    Ok(id)
}

fn main() {}
