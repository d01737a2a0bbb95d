use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(deadline_exceeded)]
    Late,
    #[retryable(deadline_exceeded)] //~ ERROR `deadline_exceeded` marks an earlier variant already
    TooLate,
}

fn main() {}
