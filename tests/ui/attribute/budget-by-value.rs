use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

impl Pool {
    #[retry(budget = self.budget)] //~ ERROR expected `&Budget`, found `Budget`
    async fn field(&self) -> Result<(), MyError> {
        Ok(())
    }
}

struct Pool {
    budget: stormless::Budget,
}

fn main() {}
