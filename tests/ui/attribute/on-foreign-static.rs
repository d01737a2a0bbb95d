use stormless::retry;

unsafe extern "C" {
    #[retry]
    static LIMIT: i32; //~ ERROR `#[retry]` on a static: put it on the function that makes the
}

fn main() {}
