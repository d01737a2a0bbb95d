use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

struct Client(String);

impl Client {
    #[retry]
    async fn send(self) -> Result<String, MyError> { //~ ERROR use of moved value: `self.0`
        Ok(self.0)
    }
}

fn main() {}
