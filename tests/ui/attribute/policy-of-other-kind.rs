use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(policy = 3)] //~ ERROR `policy` needs the path of a const or static `Policy`
async fn number() -> Result<(), MyError> {
    Ok(())
}

#[retry(policy = "x")] //~ ERROR `policy` needs the path of a const or static `Policy`
async fn string() -> Result<(), MyError> {
    Ok(())
}

#[retry(policy = true)] //~ ERROR `policy` needs the path of a const or static `Policy`
async fn boolean() -> Result<(), MyError> {
    Ok(())
}

#[retry(policy = none)] //~ ERROR `policy` needs the path of a const or static `Policy`
async fn none() -> Result<(), MyError> {
    Ok(())
}

#[retry(policy(3))] //~ ERROR `policy` is written with `=`: `policy = POLICY`
async fn list() -> Result<(), MyError> {
    Ok(())
}

#[retry(policy)] //~ ERROR `policy` needs a value, write `policy = POLICY`
async fn flag() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
