use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(classify_result = 3)] //~ ERROR `classify_result` needs the path of a function or a closure
async fn number() -> Result<(), MyError> {
    Ok(())
}

#[retry(classify_result = "x")] //~ ERROR `classify_result` needs the path of a function or a closure
async fn string() -> Result<(), MyError> {
    Ok(())
}

#[retry(classify_result = true)] //~ ERROR `classify_result` needs the path of a function or a closure
async fn boolean() -> Result<(), MyError> {
    Ok(())
}

#[retry(classify_result = none)] //~ ERROR `classify_result` needs the path of a function or a closure
async fn none() -> Result<(), MyError> {
    Ok(())
}

#[retry(classify_result = [3])] //~ ERROR `classify_result` needs the path of a function or a closure
async fn array() -> Result<(), MyError> {
    Ok(())
}

#[retry(classify_result = pause())] //~ ERROR `classify_result` needs the path of a function or a closure
async fn call() -> Result<(), MyError> {
    Ok(())
}

#[retry(classify_result(3))] //~ ERROR `classify_result` is written with `=`
async fn list() -> Result<(), MyError> {
    Ok(())
}

#[retry(classify_result)] //~ ERROR `classify_result` needs a value
async fn flag() -> Result<(), MyError> {
    Ok(())
}

#[retry(classify_result = async |x| x)] //~ ERROR `classify_result` is called between attempts and cannot wait
async fn waiting() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
