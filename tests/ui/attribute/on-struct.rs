use stormless::retry;

#[retry]
pub struct Store; //~ ERROR `#[retry]` on a struct

fn main() {}
