use stormless::retry;

#[retry]
async fn owned() -> Result<(), String> { //~ ERROR `String` does not say which of its values a retry can help
    Ok(())
}

#[retry]
async fn borrowed() -> Result<(), &'static str> { //~ ERROR `&str` does not say which of its values a retry can help
    Ok(())
}

#[retry]
async fn number() -> Result<(), u16> { //~ ERROR `u16` does not say which of its values a retry can help
    Ok(())
}

fn main() {}
