use stormless::retry;

#[derive(Debug)]
struct MyError;

trait Store {
    #[retry]
    fn text(&self) -> Result<String, MyError>;
}

fn main() {}
