use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry(idempotent, hedge = "100ms")]
async fn fetch(mut page: u32) -> Result<(), MyError> { //~ ERROR add `clone(page)` to the attribute
    page += 1;
    if page > 3 { Ok(()) } else { Err(MyError) }
}

fn main() {}
