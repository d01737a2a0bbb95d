use stormless::retry;

#[derive(Debug)]
struct MyError;

struct Store(String);

impl Store {
    #[retry]
    async fn text(mut self) -> Result<String, MyError> { //~ ERROR changes of `self` in one attempt would be seen by the next
        self.0.push('a');
        Ok(self.0)
    }
}

fn main() {}
