use stormless::retry;

unsafe extern "C" {
    #[retry]
    safe fn fetch() -> i32; //~ ERROR `#[retry]` on a declaration
}

fn main() {}
