use stormless::{Classification, retry};

struct MyError;

#[retry(classify = |_: MyError| Classification::transient())]
async fn by_value() -> Result<(), MyError> {
    Ok(())
}

#[retry(classify = by_text)]
async fn by_other() -> Result<(), MyError> {
    Ok(())
}

#[retry(classify = || Classification::transient())]
async fn by_nothing() -> Result<(), MyError> {
    Ok(())
}

fn by_text(_: &str) -> Classification {
    Classification::transient()
}

fn main() {}
