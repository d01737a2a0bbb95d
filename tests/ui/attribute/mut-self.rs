use stormless::retry;

#[derive(Debug)]
struct MyError;

struct Store(String);

impl Store {
    #[retry]
    async fn text(mut self) -> Result<String, MyError> {
        self.0.push('a');
        Ok(self.0)
    }
}

fn main() {}
