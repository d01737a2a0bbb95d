use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempts = 3)]
async fn fetch(mut words: Vec<u8>) -> Result<(), MyError> { //~ ERROR changes of `words` in one attempt would be seen by the next
    words.push(1);
    Ok(())
}

fn main() {}
