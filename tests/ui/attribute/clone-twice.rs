use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(clone(request, request))] //~ ERROR `request` is cloned twice
async fn fetch(request: String) -> Result<(), MyError> {
    let _ = request;
    Ok(())
}

fn main() {}
