use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(classify = 3)]
async fn number() -> Result<(), MyError> {
    Ok(())
}

#[retry(classify = "x")]
async fn string() -> Result<(), MyError> {
    Ok(())
}

#[retry(classify = true)]
async fn boolean() -> Result<(), MyError> {
    Ok(())
}

#[retry(classify = none)]
async fn none() -> Result<(), MyError> {
    Ok(())
}

#[retry(classify = [3])]
async fn array() -> Result<(), MyError> {
    Ok(())
}

#[retry(classify = pause())]
async fn call() -> Result<(), MyError> {
    Ok(())
}

#[retry(classify(3))]
async fn list() -> Result<(), MyError> {
    Ok(())
}

#[retry(classify)]
async fn flag() -> Result<(), MyError> {
    Ok(())
}

#[retry(classify = async |x| x)]
async fn waiting() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
