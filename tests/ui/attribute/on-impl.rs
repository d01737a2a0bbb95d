use stormless::retry;

struct Store;

#[retry]
impl Store {}

fn main() {}
