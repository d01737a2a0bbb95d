use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry]
async fn fetch((mut left, right): (u8, u8)) -> Result<(), MyError> { //~ ERROR changes of `left` in one attempt would be seen by the next
    left += right;
    let _ = left;
    Ok(())
}

fn main() {}
