use stormless::retry;

macro_rules! functions {
    () => {};
}

#[retry]
functions! {} //~ ERROR `#[retry]` on a macro call

fn main() {}
