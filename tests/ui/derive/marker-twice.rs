use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(deadline_exceeded)]
    Late,
    #[retryable(deadline_exceeded)]
    TooLate,
}

fn main() {}
