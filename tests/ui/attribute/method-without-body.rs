use stormless::retry;

#[derive(Debug)]
struct MyError;

trait Store {
    #[retry]
    async fn text(&self) -> Result<String, MyError>; //~ ERROR `text` has no body to retry
}

fn main() {}
