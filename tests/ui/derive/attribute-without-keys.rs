use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable] //~ ERROR `retryable` needs keys in parentheses
    Bare,
    #[retryable()] //~ ERROR `retryable` needs keys in parentheses
    Empty,
    #[retryable = "transient"] //~ ERROR `retryable` needs keys in parentheses
    Assigned,
}

fn main() {}
