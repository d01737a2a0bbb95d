use stormless::retry;

unsafe extern "C" {
    #[retry]
    fn fetch() -> i32;
}

fn main() {}
