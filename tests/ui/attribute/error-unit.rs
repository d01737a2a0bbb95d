use stormless::retry;

#[retry]
async fn unit() -> Result<(), ()> {
    Ok(())
}

fn main() {}
