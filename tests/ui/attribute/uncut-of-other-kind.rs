use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(uncut = 3)] //~ ERROR `uncut` takes no value: write the word alone, or leave it out
async fn number() -> Result<(), MyError> {
    Ok(())
}

#[retry(uncut = "x")] //~ ERROR `uncut` takes no value: write the word alone, or leave it out
async fn string() -> Result<(), MyError> {
    Ok(())
}

#[retry(uncut = none)] //~ ERROR `uncut` takes no value: write the word alone, or leave it out
async fn none() -> Result<(), MyError> {
    Ok(())
}

#[retry(uncut = |x| x)] //~ ERROR `uncut` takes no value: write the word alone, or leave it out
async fn closure() -> Result<(), MyError> {
    Ok(())
}

#[retry(uncut(3))] //~ ERROR `uncut` takes no value: write the word alone, or leave it out
async fn list() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
