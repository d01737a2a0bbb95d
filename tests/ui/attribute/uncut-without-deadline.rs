use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(uncut)] //~ ERROR `uncut` needs a `deadline`
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
