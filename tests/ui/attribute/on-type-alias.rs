use stormless::retry;

#[retry]
type Answer = Result<u8, ()>;

fn main() {}
