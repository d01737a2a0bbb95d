use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(name = 3)] //~ ERROR `name` needs a string literal, as in `name = "orders.fetch"`
async fn number() -> Result<(), MyError> {
    Ok(())
}

#[retry(name = true)] //~ ERROR `name` needs a string literal, as in `name = "orders.fetch"`
async fn boolean() -> Result<(), MyError> {
    Ok(())
}

#[retry(name = none)] //~ ERROR `name` needs a string literal, as in `name = "orders.fetch"`
async fn none() -> Result<(), MyError> {
    Ok(())
}

#[retry(name = |x| x)] //~ ERROR `name` needs a string literal, as in `name = "orders.fetch"`
async fn closure() -> Result<(), MyError> {
    Ok(())
}

#[retry(name = [3])] //~ ERROR `name` needs a string literal, as in `name = "orders.fetch"`
async fn array() -> Result<(), MyError> {
    Ok(())
}

#[retry(name = NAME)] //~ ERROR `name` needs a string literal, as in `name = "orders.fetch"`
async fn constant() -> Result<(), MyError> {
    Ok(())
}

#[retry(name = b"orders")] //~ ERROR `name` needs a string literal, as in `name = "orders.fetch"`
async fn bytes() -> Result<(), MyError> {
    Ok(())
}

#[retry(name = "  ")] //~ ERROR `name` is empty: give it a name, as in `name = "orders.fetch"`
async fn spaces() -> Result<(), MyError> {
    Ok(())
}

#[retry(name(3))] //~ ERROR `name` is written with `=`: `name = "orders.fetch"`
async fn list() -> Result<(), MyError> {
    Ok(())
}

#[retry(name)] //~ ERROR `name` needs a value, write `name = "orders.fetch"`
async fn flag() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
