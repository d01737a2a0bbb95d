use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(budget = 10)] //~ ERROR `budget` needs a name as in `budget = "orders"`
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
