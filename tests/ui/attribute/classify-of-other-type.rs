use stormless::retry;

struct MyError;

#[retry(classify = |_| true)]
async fn closure() -> Result<(), MyError> {
    Ok(())
}

#[retry(classify = is_passing)]
async fn path() -> Result<(), MyError> {
    Ok(())
}

fn is_passing(_: &MyError) -> bool {
    true
}

fn main() {}
