use stormless::retry;

#[derive(Debug)]
struct MyError;

#[tokio::main]
#[retry]
async fn main() -> Result<(), MyError> { //~ ERROR the attribute above has taken the `async` away
    Ok(())
}

