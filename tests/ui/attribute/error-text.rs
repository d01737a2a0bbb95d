use stormless::retry;

#[retry]
async fn owned() -> Result<(), String> {
    Ok(())
}

#[retry]
async fn borrowed() -> Result<(), &'static str> {
    Ok(())
}

#[retry]
async fn number() -> Result<(), u16> {
    Ok(())
}

fn main() {}
