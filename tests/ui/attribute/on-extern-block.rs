use stormless::retry;

#[retry]
unsafe extern "C" {}

fn main() {}
