use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry(clone(buffer))] //~ ERROR `buffer` is a `&mut`, which all attempts share and which cannot be cloned
async fn send(buffer: &mut Vec<u8>) -> Result<(), MyError> {
    buffer.push(1);
    Ok(())
}

fn main() {}
