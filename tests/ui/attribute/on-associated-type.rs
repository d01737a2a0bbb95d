use stormless::retry;

trait Store {
    #[retry]
    type Answer; //~ ERROR `#[retry]` on a type alias
}

fn main() {}
