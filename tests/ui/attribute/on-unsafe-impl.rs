use stormless::retry;

struct Store(*const u8);

#[retry]
unsafe impl Send for Store {} //~ ERROR `#[retry]` on an impl block

fn main() {}
