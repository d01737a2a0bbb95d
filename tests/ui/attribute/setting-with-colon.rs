use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempts: 3)] //~ ERROR settings are written with `=`
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
