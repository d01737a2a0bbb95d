use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(clone(reqest))] //~ ERROR `reqest` is no argument of this function
async fn fetch(request: String, id: u64) -> Result<(), MyError> {
    let _ = (request, id);
    Ok(())
}

fn main() {}
