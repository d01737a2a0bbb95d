use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry]
const fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
