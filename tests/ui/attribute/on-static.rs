use stormless::retry;

#[retry]
static LIMIT: u32 = 3;

fn main() {}
