use stormless::retry;

#[derive(Debug)]
struct MyError;

trait Store {
    const LIMIT: std::time::Duration;

    #[retry(attempt_timeout = Self::LIMIT)]
    async fn text(&self) -> Result<String, MyError> {
        Err(MyError)
    }
}

fn main() {}
