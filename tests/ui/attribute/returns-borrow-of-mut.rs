use stormless::retry;

#[derive(Debug)]
struct MyError;

struct Store(String);

impl Store {
    #[retry]
    async fn text(&mut self) -> Result<&str, MyError> { //~ ERROR a borrow from a `&mut` argument cannot be returned
        Ok(&self.0)
    }
}

fn main() {}
