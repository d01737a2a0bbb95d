use stormless::retry;

struct MyError;

#[retry(classify = |_| true)] //~ ERROR expected `Classification`, found `bool`
async fn closure() -> Result<(), MyError> {
    Ok(())
}

#[retry(classify = is_passing)] //~ ERROR expected `is_passing` to return `Classification`
async fn path() -> Result<(), MyError> {
    Ok(())
}

fn is_passing(_: &MyError) -> bool {
    true
}

fn main() {}
