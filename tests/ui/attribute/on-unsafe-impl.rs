use stormless::retry;

struct Store(*const u8);

#[retry]
unsafe impl Send for Store {}

fn main() {}
