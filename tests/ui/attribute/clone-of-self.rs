use stormless::retry;

#[derive(Debug)]
struct MyError;

struct Store(String);

impl Store {
    #[retry(clone(self))] //~ ERROR `self` cannot be cloned for an attempt
    async fn text(self) -> Result<String, MyError> {
        Ok(self.0)
    }
}

fn main() {}
