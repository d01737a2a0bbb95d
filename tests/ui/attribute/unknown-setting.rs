use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(bugdet = "orders")] //~ ERROR unknown setting `bugdet`
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
