use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(budget = "none")] //~ ERROR this names a budget "none": write `budget = none`
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
