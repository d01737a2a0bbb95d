use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(deadline = "1s", cut_error = cut, uncut)] //~ ERROR `cut_error` and `uncut` contradict each other
async fn fetch() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
