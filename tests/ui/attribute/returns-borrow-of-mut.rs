use stormless::retry;

#[derive(Debug)]
struct MyError;

struct Store(String);

impl Store {
    #[retry]
    async fn text(&mut self) -> Result<&str, MyError> {
        Ok(&self.0)
    }
}

fn main() {}
