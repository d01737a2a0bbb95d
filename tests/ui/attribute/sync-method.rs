use stormless::retry;

#[derive(Debug)]
struct MyError;

struct Store;

impl Store {
    #[retry]
    pub fn text(&self) -> Result<String, MyError> { //~ ERROR `#[retry]` needs an `async fn`
        Err(MyError)
    }
}

fn main() {}
