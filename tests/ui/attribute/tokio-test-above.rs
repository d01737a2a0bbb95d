use stormless::retry;

#[derive(Debug)]
struct MyError;

#[tokio::test]
#[retry]
async fn it_works() -> Result<(), MyError> { //~ ERROR `#[retry]` needs an `async fn`
    Ok(())
}

fn main() {}
