use stormless::retry;

#[derive(Debug)]
struct MyError;

trait Store {
    const LIMIT: std::time::Duration;

    #[retry(attempt_timeout = Self::LIMIT)] //~ ERROR `attempt_timeout` is the same for all types and cannot name `Self` or a parameter
    async fn text(&self) -> Result<String, MyError> {
        Err(MyError)
    }
}

fn main() {}
