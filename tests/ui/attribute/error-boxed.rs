use std::error::Error;

use stormless::retry;

#[retry]
async fn boxed() -> Result<(), Box<dyn Error>> {
    Ok(())
}

#[retry]
async fn sendable() -> Result<(), Box<dyn Error + Send + Sync>> {
    Ok(())
}

fn main() {}
