use stormless::retry;

#[retry]
extern crate std as other;

fn main() {}
