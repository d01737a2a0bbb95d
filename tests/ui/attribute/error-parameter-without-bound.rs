use stormless::retry;

#[retry]
async fn fetch<E>() -> Result<(), E> {
    Ok(())
}

fn main() {}
