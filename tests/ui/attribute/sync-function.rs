use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry]
fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
