use stormless::retry;

#[retry]
pub const LIMIT: u32 = 3;

fn main() {}
