use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(on_retry = 3)] //~ ERROR `on_retry` needs the path of a function or a closure
async fn number() -> Result<(), MyError> {
    Ok(())
}

#[retry(on_retry = "x")] //~ ERROR `on_retry` needs the path of a function or a closure
async fn string() -> Result<(), MyError> {
    Ok(())
}

#[retry(on_retry = true)] //~ ERROR `on_retry` needs the path of a function or a closure
async fn boolean() -> Result<(), MyError> {
    Ok(())
}

#[retry(on_retry = none)] //~ ERROR `on_retry` needs the path of a function or a closure
async fn none() -> Result<(), MyError> {
    Ok(())
}

#[retry(on_retry = [3])] //~ ERROR `on_retry` needs the path of a function or a closure
async fn array() -> Result<(), MyError> {
    Ok(())
}

#[retry(on_retry = pause())] //~ ERROR `on_retry` needs the path of a function or a closure
async fn call() -> Result<(), MyError> {
    Ok(())
}

#[retry(on_retry(3))] //~ ERROR `on_retry` is written with `=`
async fn list() -> Result<(), MyError> {
    Ok(())
}

#[retry(on_retry)] //~ ERROR `on_retry` needs a value
async fn flag() -> Result<(), MyError> {
    Ok(())
}

#[retry(on_retry = async |x| x)] //~ ERROR `on_retry` is called between attempts and cannot wait
async fn waiting() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
