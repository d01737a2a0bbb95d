use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(nested = "independant")] //~ ERROR "independant" is no value of `nested`
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
