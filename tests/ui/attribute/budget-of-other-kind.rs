use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(budget = 3)] //~ ERROR `budget` needs a name as in `budget = "orders"`
async fn number() -> Result<(), MyError> {
    Ok(())
}

#[retry(budget = true)] //~ ERROR `budget` needs a name as in `budget = "orders"`
async fn boolean() -> Result<(), MyError> {
    Ok(())
}

#[retry(budget = 's')] //~ ERROR `budget` needs a name as in `budget = "orders"`
async fn character() -> Result<(), MyError> {
    Ok(())
}

#[retry(budget(3))] //~ ERROR `budget` is written with `=`: `budget = "orders"`
async fn list() -> Result<(), MyError> {
    Ok(())
}

#[retry(budget)] //~ ERROR `budget` needs a value, write `budget = "orders"`
async fn flag() -> Result<(), MyError> {
    Ok(())
}

#[retry(budget = 0.1)] //~ ERROR `budget` needs a name as in `budget = "orders"`
async fn float() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
