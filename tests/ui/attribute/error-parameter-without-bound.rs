use stormless::retry;

#[retry]
async fn fetch<E>() -> Result<(), E> { //~ ERROR `E` does not say which of its values a retry can help
    Ok(())
}

fn main() {}
