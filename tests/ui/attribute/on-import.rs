use stormless::retry;

#[retry]
pub use std::fmt::Debug; //~ ERROR `#[retry]` on an import: put it on the function that makes the

fn main() {}
