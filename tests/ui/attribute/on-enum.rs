use stormless::retry;

#[retry]
enum State { //~ ERROR `#[retry]` on an enum: put it on the function that makes the
    Open,
}

fn main() {}
