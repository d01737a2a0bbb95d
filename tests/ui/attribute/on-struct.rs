use stormless::retry;

#[retry]
pub struct Store;

fn main() {}
