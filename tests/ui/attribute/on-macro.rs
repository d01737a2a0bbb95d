use stormless::retry;

#[retry]
macro_rules! fetch { //~ ERROR `#[retry]` on a macro: put it on the function that makes the
    () => {};
}

fetch! {}

fn main() {}
