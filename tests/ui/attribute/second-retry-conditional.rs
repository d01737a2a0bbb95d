use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[cfg_attr(all(), retry(attempts = 3))]
#[cfg_attr(all(), retry(attempts = 5))] //~ ERROR @attribute a second `#[retry]` would multiply the attempts
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
