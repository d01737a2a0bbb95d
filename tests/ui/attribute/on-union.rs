use stormless::retry;

#[retry]
union Number { //~ ERROR `#[retry]` on a union: put it on the function that makes the
    whole: u32,
    real: f32,
}

fn main() {}
