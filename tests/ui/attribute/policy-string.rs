use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(policy = "fast")] //~ ERROR `policy` needs the path of a const or static `Policy`
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
