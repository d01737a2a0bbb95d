use stormless::retry;

#[retry]
mod store {
    pub fn load() {}
}

fn main() {}
