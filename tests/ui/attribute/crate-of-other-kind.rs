use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(crate = 3)]
async fn number() -> Result<(), MyError> {
    Ok(())
}

#[retry(crate = "x")]
async fn string() -> Result<(), MyError> {
    Ok(())
}

#[retry(crate = true)]
async fn boolean() -> Result<(), MyError> {
    Ok(())
}

#[retry(crate = |x| x)]
async fn closure() -> Result<(), MyError> {
    Ok(())
}

#[retry(crate = pause())]
async fn call() -> Result<(), MyError> {
    Ok(())
}

#[retry(crate(3))]
async fn list() -> Result<(), MyError> {
    Ok(())
}

#[retry(crate)]
async fn flag() -> Result<(), MyError> {
    Ok(())
}

#[retry(crate = <Path as Trait>::Item)]
async fn qualified() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
