use std::error::Error;

use stormless::retry;

#[retry]
async fn boxed() -> Result<(), Box<dyn Error>> { //~ ERROR `Box<dyn std::error::Error>` does not say which of its values a retry
    Ok(())
}

#[retry]
async fn sendable() -> Result<(), Box<dyn Error + Send + Sync>> { //~ ERROR `Box<dyn std::error::Error + Send + Sync>` does not say which of its values a retry can help
    Ok(())
}

fn main() {}
