use stormless::retry;

#[derive(Debug)]
struct MyError;

struct Store;

impl Store {
    #[retry]
    pub const fn text(&self) -> Result<(), MyError> {
        Err(MyError)
    }
}

fn main() {}
