use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(clone = request)] //~ ERROR `clone` needs the names of arguments in parentheses
async fn fetch(request: String) -> Result<(), MyError> {
    let _ = request;
    Ok(())
}

fn main() {}
