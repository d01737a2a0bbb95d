use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempts = 3, , base = "1s")] //~ ERROR expected a setting such as `attempts = 3`
async fn between() -> Result<(), MyError> {
    Ok(())
}

#[retry(, attempts = 3)] //~ ERROR expected a setting such as `attempts = 3`
async fn leading() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempts = 3,,)] //~ ERROR expected a setting such as `attempts = 3`
async fn doubled() -> Result<(), MyError> {
    Ok(())
}

#[retry(,)] //~ ERROR expected a setting such as `attempts = 3`
async fn alone() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
