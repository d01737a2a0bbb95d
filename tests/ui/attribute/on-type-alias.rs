use stormless::retry;

#[retry]
type Answer = Result<u8, ()>; //~ ERROR `#[retry]` on a type alias

fn main() {}
