use stormless::retry;

struct Store {
    #[retry]
    limit: u32,
}

fn main() {}
