use stormless::retry;

#[retry]
pub const LIMIT: u32 = 3; //~ ERROR `#[retry]` on a constant

fn main() {}
