use stormless::{Classification, retry};

struct MyError;

#[retry(classify = CLASS)]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

const CLASS: Classification = Classification::transient();

fn main() {}
