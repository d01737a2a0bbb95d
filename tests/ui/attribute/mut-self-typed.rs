use stormless::retry;

#[derive(Debug)]
struct MyError;

struct Store(String);

impl Store {
    #[retry]
    async fn text(mut self: Box<Self>) -> Result<String, MyError> {
        self.0.push('a');
        Ok(String::new())
    }
}

fn main() {}
