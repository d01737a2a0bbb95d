use stormless::retry;

trait Store {
    #[retry]
    type Answer;
}

fn main() {}
