use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry]
async fn fetch((mut left, right): (u8, u8)) -> Result<(), MyError> {
    left += right;
    let _ = left;
    Ok(())
}

fn main() {}
