use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(transient = true)]
    Class,
    #[retryable(timeout, executed = false)]
    Execution,
    #[retryable(throttled, local = 1)]
    Local,
    #[retryable(breaker_open = "1s")]
    Marker,
}

fn main() {}
