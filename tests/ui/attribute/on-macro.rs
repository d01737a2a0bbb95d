use stormless::retry;

#[retry]
macro_rules! fetch {
    () => {};
}

fetch! {}

fn main() {}
