use stormless::retry;

fn fetch(#[retry] limit: u32) {
    drop(limit);
}

fn main() {}
