use stormless::retry;

#[derive(Debug)]
struct MyError;

struct Store;

impl Store {
    #[retry]
    pub const fn text(&self) -> Result<(), MyError> { //~ ERROR `#[retry]` cannot retry a `const fn`, since nothing can wait in one
        Err(MyError)
    }
}

fn main() {}
