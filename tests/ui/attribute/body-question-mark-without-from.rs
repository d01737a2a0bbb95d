use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry]
async fn fetch() -> Result<u8, MyError> {
    let number: u8 = "1".parse()?; //~ ERROR type mismatch resolving `<u8 as FromStr>::Err == MyError`
    Ok(number)
}

fn main() {}
