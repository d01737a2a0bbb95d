use stormless::retry;

struct Store {
    #[retry] //~ ERROR @attribute expected non-macro attribute, found attribute macro `retry`
    limit: u32,
}

fn main() {}
