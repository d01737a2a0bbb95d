use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(clone(request))] //~ ERROR `request` is no argument
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
