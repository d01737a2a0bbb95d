use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(permanent, base = "1s")]
    Bad,
    #[retryable(attempts = 2, permanent, cost = 2)]
    Worse,
    #[retryable(cancelled, retry_after = 0)]
    Stopped(std::time::Duration),
}

fn main() {}
