//! An error that nobody has classified.
use stormless::Policy;

struct Foreign;

async fn get() -> Result<u32, Foreign> {
    Err(Foreign)
}

#[tokio::main]
async fn main() {
    let _ = Policy::new().run(get).await; //~ ERROR `Foreign` does not say which of its values a retry can help
}
