use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry]
const fn fetch() -> Result<(), MyError> { //~ ERROR `#[retry]` cannot retry a `const fn`
    Ok(())
}

fn main() {}
