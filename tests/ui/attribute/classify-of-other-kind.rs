use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(classify = 3)] //~ ERROR `classify` needs the path of a function or a closure
async fn number() -> Result<(), MyError> {
    Ok(())
}

#[retry(classify = "x")] //~ ERROR `classify` needs the path of a function or a closure
async fn string() -> Result<(), MyError> {
    Ok(())
}

#[retry(classify = true)] //~ ERROR `classify` needs the path of a function or a closure
async fn boolean() -> Result<(), MyError> {
    Ok(())
}

#[retry(classify = none)] //~ ERROR `classify` needs the path of a function or a closure
async fn none() -> Result<(), MyError> {
    Ok(())
}

#[retry(classify = [3])] //~ ERROR `classify` needs the path of a function or a closure
async fn array() -> Result<(), MyError> {
    Ok(())
}

#[retry(classify = pause())] //~ ERROR `classify` needs the path of a function or a closure
async fn call() -> Result<(), MyError> {
    Ok(())
}

#[retry(classify(3))] //~ ERROR `classify` is written with `=`
async fn list() -> Result<(), MyError> {
    Ok(())
}

#[retry(classify)] //~ ERROR `classify` needs a value
async fn flag() -> Result<(), MyError> {
    Ok(())
}

#[retry(classify = async |x| x)] //~ ERROR `classify` is called between attempts and cannot wait
async fn waiting() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
