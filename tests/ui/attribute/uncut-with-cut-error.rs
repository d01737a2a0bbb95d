use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(deadline = "1s", cut_error = cut, uncut)]
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
