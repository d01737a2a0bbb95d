use stormless::retry;

#[derive(Debug)]
struct MyError;

trait Store {
    #[retry(attempts = 0)] //~ ERROR `attempts` is 0: it counts the first call
    async fn text(&self) -> Result<String, MyError>; //~ ERROR `text` has no body to retry
}

fn main() {}
