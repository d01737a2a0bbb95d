use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry]
fn fetch() -> Result<(), MyError> { //~ ERROR `#[retry]` needs an `async fn`: write `async fn`
    Ok(())
}

fn main() {}
