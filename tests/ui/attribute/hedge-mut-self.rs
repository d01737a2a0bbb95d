use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

struct Client(u8);

impl Client {
    #[retry(idempotent, hedge = "100ms")]
    async fn fetch(&mut self) -> Result<(), MyError> { //~ ERROR cannot share a `&mut self`
        self.0 += 1;
        Ok(())
    }

    #[retry(idempotent, hedge = "100ms")]
    async fn typed(self: &mut Self) -> Result<(), MyError> { //~ ERROR cannot share a `&mut self`
        self.0 += 1;
        Ok(())
    }
}

fn main() {}
