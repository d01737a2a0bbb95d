use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(clone = 3)] //~ ERROR `clone` needs the names of arguments in parentheses
async fn number() -> Result<(), MyError> {
    Ok(())
}

#[retry(clone = "x")] //~ ERROR `clone` needs the names of arguments in parentheses
async fn string() -> Result<(), MyError> {
    Ok(())
}

#[retry(clone(&request))] //~ ERROR `clone` needs the names of arguments in parentheses
async fn borrow() -> Result<(), MyError> {
    Ok(())
}

#[retry(clone(self.request))] //~ ERROR `clone` needs the names of arguments in parentheses
async fn field() -> Result<(), MyError> {
    Ok(())
}

#[retry(clone("request"))] //~ ERROR `clone` needs the names of arguments in parentheses
async fn literal() -> Result<(), MyError> {
    Ok(())
}

#[retry(clone())] //~ ERROR `clone` needs the names of arguments in parentheses
async fn nothing() -> Result<(), MyError> {
    Ok(())
}

#[retry(clone(request: String))] //~ ERROR `clone` needs the names of arguments in parentheses
async fn typed() -> Result<(), MyError> {
    Ok(())
}

#[retry(clone)] //~ ERROR `clone` needs the names of arguments in parentheses
async fn flag() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
