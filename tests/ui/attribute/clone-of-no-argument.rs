use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(clone(reqest))]
async fn fetch(request: String, id: u64) -> Result<(), MyError> {
    let _ = (request, id);
    Ok(())
}

fn main() {}
