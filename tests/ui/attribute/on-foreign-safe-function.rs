use stormless::retry;

unsafe extern "C" {
    #[retry]
    safe fn fetch() -> i32;
}

fn main() {}
