use stormless::retry;

#[retry]
async fn unit() -> Result<(), ()> { //~ ERROR `()` does not say which of its values a retry can help
    Ok(())
}

fn main() {}
