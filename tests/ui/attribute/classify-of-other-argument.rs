use stormless::{Classification, retry};

struct MyError;

#[retry(classify = |_: MyError| Classification::transient())] //~ ERROR type mismatch in closure arguments
async fn by_value() -> Result<(), MyError> {
    Ok(())
}

#[retry(classify = by_text)] //~ ERROR type mismatch in function arguments
async fn by_other() -> Result<(), MyError> {
    Ok(())
}

#[retry(classify = || Classification::transient())] //~ ERROR closure is expected to take 1 argument
async fn by_nothing() -> Result<(), MyError> {
    Ok(())
}

fn by_text(_: &str) -> Classification {
    Classification::transient()
}

fn main() {}
