use stormless::retry;

#[derive(Debug)]
struct MyError;

struct Store(String);

impl Store {
    #[retry(clone(self))]
    async fn text(self) -> Result<String, MyError> {
        Ok(self.0)
    }
}

fn main() {}
