use stormless::retry;

#[derive(Debug)]
struct MyError;

#[tokio::test]
#[retry]
async fn it_works() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
