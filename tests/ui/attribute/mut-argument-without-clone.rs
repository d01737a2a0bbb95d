use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempts = 3)]
async fn fetch(mut words: Vec<u8>) -> Result<(), MyError> {
    words.push(1);
    Ok(())
}

fn main() {}
