use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry]
async fn fetch(ref mut count: u32) -> Result<(), MyError> {
    *count += 1;
    Ok(())
}

fn main() {}
