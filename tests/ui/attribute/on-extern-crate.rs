use stormless::retry;

#[retry]
extern crate std as other; //~ ERROR `#[retry]` on an `extern crate`

fn main() {}
