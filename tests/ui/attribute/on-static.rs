use stormless::retry;

#[retry]
static LIMIT: u32 = 3; //~ ERROR `#[retry]` on a static: put it on the function that makes the

fn main() {}
