use stormless::retry;

#[derive(Debug)]
struct MyError;

struct Store;

impl Store {
    #[retry]
    pub fn text(&self) -> Result<String, MyError> {
        Err(MyError)
    }
}

fn main() {}
