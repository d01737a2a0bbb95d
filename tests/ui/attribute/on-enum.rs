use stormless::retry;

#[retry]
enum State {
    Open,
}

fn main() {}
