use stormless::retry;

#[retry(attempts = 3)]
const FETCH: fn() -> Result<(), ()> = || Ok(()); //~ ERROR `#[retry]` on a constant

fn main() {}
