use stormless::retry;

struct Store;

#[retry]
impl Store {} //~ ERROR `#[retry]` on an impl block

fn main() {}
