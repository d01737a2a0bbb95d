use stormless::retry;

struct Store;

impl Store {
    #[retry]
    pub const LIMIT: u32 = 3;
}

fn main() {}
