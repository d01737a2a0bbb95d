use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(cut_error = 3)]
async fn number() -> Result<(), MyError> {
    Ok(())
}

#[retry(cut_error = "x")]
async fn string() -> Result<(), MyError> {
    Ok(())
}

#[retry(cut_error = true)]
async fn boolean() -> Result<(), MyError> {
    Ok(())
}

#[retry(cut_error = none)]
async fn none() -> Result<(), MyError> {
    Ok(())
}

#[retry(cut_error = [3])]
async fn array() -> Result<(), MyError> {
    Ok(())
}

#[retry(cut_error = pause())]
async fn call() -> Result<(), MyError> {
    Ok(())
}

#[retry(cut_error(3))]
async fn list() -> Result<(), MyError> {
    Ok(())
}

#[retry(cut_error)]
async fn flag() -> Result<(), MyError> {
    Ok(())
}

#[retry(cut_error = async |x| x)]
async fn waiting() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
