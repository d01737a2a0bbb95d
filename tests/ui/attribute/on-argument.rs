use stormless::retry;

fn fetch(#[retry] limit: u32) { //~ ERROR @attribute expected non-macro attribute, found attribute macro `retry`
    drop(limit);
}

fn main() {}
