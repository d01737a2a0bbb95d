use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(cut_error = 3)] //~ ERROR `cut_error` needs the path of a function or a closure
async fn number() -> Result<(), MyError> {
    Ok(())
}

#[retry(cut_error = "x")] //~ ERROR `cut_error` needs the path of a function or a closure
async fn string() -> Result<(), MyError> {
    Ok(())
}

#[retry(cut_error = true)] //~ ERROR `cut_error` needs the path of a function or a closure
async fn boolean() -> Result<(), MyError> {
    Ok(())
}

#[retry(cut_error = none)] //~ ERROR `cut_error` needs the path of a function or a closure
async fn none() -> Result<(), MyError> {
    Ok(())
}

#[retry(cut_error = [3])] //~ ERROR `cut_error` needs the path of a function or a closure
async fn array() -> Result<(), MyError> {
    Ok(())
}

#[retry(cut_error = pause())] //~ ERROR `cut_error` needs the path of a function or a closure
async fn call() -> Result<(), MyError> {
    Ok(())
}

#[retry(cut_error(3))] //~ ERROR `cut_error` is written with `=`
async fn list() -> Result<(), MyError> {
    Ok(())
}

#[retry(cut_error)] //~ ERROR `cut_error` needs a value
async fn flag() -> Result<(), MyError> {
    Ok(())
}

#[retry(cut_error = async |x| x)] //~ ERROR `cut_error` is called between attempts and cannot wait
async fn waiting() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
