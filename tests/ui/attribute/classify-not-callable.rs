use stormless::{Classification, retry};

struct MyError;

#[retry(classify = CLASS)] //~ ERROR expected a `FnOnce(&MyError)` closure, found `Classification`
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

const CLASS: Classification = Classification::transient();

fn main() {}
