use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(clone = 3)]
async fn number() -> Result<(), MyError> {
    Ok(())
}

#[retry(clone = "x")]
async fn string() -> Result<(), MyError> {
    Ok(())
}

#[retry(clone(&request))]
async fn borrow() -> Result<(), MyError> {
    Ok(())
}

#[retry(clone(self.request))]
async fn field() -> Result<(), MyError> {
    Ok(())
}

#[retry(clone("request"))]
async fn literal() -> Result<(), MyError> {
    Ok(())
}

#[retry(clone())]
async fn nothing() -> Result<(), MyError> {
    Ok(())
}

#[retry(clone(request: String))]
async fn typed() -> Result<(), MyError> {
    Ok(())
}

#[retry(clone)]
async fn flag() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
