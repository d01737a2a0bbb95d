use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(name = "")] //~ ERROR `name` is empty
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
