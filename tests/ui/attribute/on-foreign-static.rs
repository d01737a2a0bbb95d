use stormless::retry;

unsafe extern "C" {
    #[retry]
    static LIMIT: i32;
}

fn main() {}
