use stormless::retry;

#[derive(Debug)]
struct MyError;

#[tokio::main(flavor = "current_thread")]
#[retry]
async fn main() -> Result<(), MyError> { //~ ERROR `#[retry]` needs an `async fn`
    Ok(())
}
