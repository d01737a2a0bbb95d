use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry]
async fn fetch(ref mut count: u32) -> Result<(), MyError> { //~ ERROR changes of `count` in one attempt would be seen by the next
    *count += 1;
    Ok(())
}

fn main() {}
