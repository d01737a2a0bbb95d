use stormless::retry;

#[retry]
unsafe extern "C" {} //~ ERROR `#[retry]` on an `extern` block

fn main() {}
