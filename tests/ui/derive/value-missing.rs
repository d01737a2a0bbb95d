use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(transient, base)] //~ ERROR `base` needs a value
    Base,
    #[retryable(transient, attempts)] //~ ERROR `attempts` needs a value
    Attempts,
    #[retryable(with)] //~ ERROR `with` needs a value
    With,
    #[retryable(status)] //~ ERROR `status` needs a value
    Status { code: u16 },
    #[retryable(throttled, retry_after =)] //~ ERROR `retry_after =` needs a value after it
    RetryAfter(std::time::Duration),
}

fn main() {}
