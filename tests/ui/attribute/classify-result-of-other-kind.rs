use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(classify_result = 3)]
async fn number() -> Result<(), MyError> {
    Ok(())
}

#[retry(classify_result = "x")]
async fn string() -> Result<(), MyError> {
    Ok(())
}

#[retry(classify_result = true)]
async fn boolean() -> Result<(), MyError> {
    Ok(())
}

#[retry(classify_result = none)]
async fn none() -> Result<(), MyError> {
    Ok(())
}

#[retry(classify_result = [3])]
async fn array() -> Result<(), MyError> {
    Ok(())
}

#[retry(classify_result = pause())]
async fn call() -> Result<(), MyError> {
    Ok(())
}

#[retry(classify_result(3))]
async fn list() -> Result<(), MyError> {
    Ok(())
}

#[retry(classify_result)]
async fn flag() -> Result<(), MyError> {
    Ok(())
}

#[retry(classify_result = async |x| x)]
async fn waiting() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
