use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(transient, base)]
    Base,
    #[retryable(transient, attempts)]
    Attempts,
    #[retryable(with)]
    With,
    #[retryable(status)]
    Status { code: u16 },
    #[retryable(throttled, retry_after =)]
    RetryAfter(std::time::Duration),
}

fn main() {}
