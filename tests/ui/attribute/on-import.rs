use stormless::retry;

#[retry]
pub use std::fmt::Debug;

fn main() {}
