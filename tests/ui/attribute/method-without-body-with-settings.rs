use stormless::retry;

#[derive(Debug)]
struct MyError;

trait Store {
    #[retry(attempts = 0)]
    async fn text(&self) -> Result<String, MyError>;
}

fn main() {}
