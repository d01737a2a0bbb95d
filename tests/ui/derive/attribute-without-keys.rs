use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable]
    Bare,
    #[retryable()]
    Empty,
    #[retryable = "transient"]
    Assigned,
}

fn main() {}
