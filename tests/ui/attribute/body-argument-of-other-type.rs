use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry]
async fn fetch(id: u64) -> Result<u8, MyError> {
    load(id, "fast").await //~ ERROR expected `bool`, found `&str`
}

async fn load(_: u64, _: bool) -> Result<u8, MyError> {
    Ok(1)
}

fn main() {}
