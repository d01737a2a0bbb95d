use stormless::retry;

unsafe extern "C" {
    #[retry]
    fn fetch() -> i32; //~ ERROR `fetch` has no body to retry
}

fn main() {}
