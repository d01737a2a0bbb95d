use stormless::retry;

#[derive(Debug)]
struct MyError;

trait Store {
    #[retry]
    async fn text(&self) -> Result<String, MyError>;
}

fn main() {}
