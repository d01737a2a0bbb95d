use stormless::retry;

macro_rules! functions {
    () => {};
}

#[retry]
functions! {}

fn main() {}
