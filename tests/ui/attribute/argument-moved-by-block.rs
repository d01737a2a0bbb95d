use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry]
async fn send(body: Vec<u8>) -> Result<(), MyError> { //~ ERROR use of moved value: `body`
    let length = async move { body.len() }.await;
    if length == 0 { Err(MyError) } else { Ok(()) }
}

fn main() {}
