use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(crate = 3)] //~ ERROR `crate` needs a path without quotes
async fn number() -> Result<(), MyError> {
    Ok(())
}

#[retry(crate = "x")] //~ ERROR `crate` needs a path without quotes
async fn string() -> Result<(), MyError> {
    Ok(())
}

#[retry(crate = true)] //~ ERROR `crate` needs a path without quotes
async fn boolean() -> Result<(), MyError> {
    Ok(())
}

#[retry(crate = |x| x)] //~ ERROR `crate` needs a path without quotes
async fn closure() -> Result<(), MyError> {
    Ok(())
}

#[retry(crate = pause())] //~ ERROR `crate` needs a path without quotes
async fn call() -> Result<(), MyError> {
    Ok(())
}

#[retry(crate(3))] //~ ERROR `crate` is written with `=`: `crate = ::my_crate::stormless`
async fn list() -> Result<(), MyError> {
    Ok(())
}

#[retry(crate)] //~ ERROR `crate` needs a value, write `crate = ::my_crate::stormless`
async fn flag() -> Result<(), MyError> {
    Ok(())
}

#[retry(crate = <Path as Trait>::Item)] //~ ERROR `crate` needs a path without quotes
async fn qualified() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
