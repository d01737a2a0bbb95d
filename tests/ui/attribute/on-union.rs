use stormless::retry;

#[retry]
union Number {
    whole: u32,
    real: f32,
}

fn main() {}
