use stormless::retry;

#[retry(attempts = 3)]
const FETCH: fn() -> Result<(), ()> = || Ok(());

fn main() {}
