use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(deadline = none, uncut)] //~ ERROR `uncut` has no effect beside `deadline = none`
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
