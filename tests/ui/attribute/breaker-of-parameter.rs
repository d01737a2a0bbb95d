use stormless::retry;

#[derive(Debug)]
struct MyError;

trait Store {
    const BREAKER: &'static stormless::Breaker;

    #[retry(breaker = Self::BREAKER)] //~ ERROR `breaker` is the same for all types and cannot name `Self` or a parameter
    async fn text(&self) -> Result<String, MyError> {
        Err(MyError)
    }
}

#[retry(breaker = Kind::BREAKER)] //~ ERROR `breaker` is the same for all types and cannot name `Self` or a parameter
async fn text<Kind: Store>(store: &Kind) -> Result<String, MyError> {
    store.text().await
}

fn main() {}
