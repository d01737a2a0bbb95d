use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(permanent, base = "1s")] //~ ERROR `base` says how to retry
    Bad,
    #[retryable(attempts = 2, permanent, cost = 2)] //~ ERROR `attempts` says how to retry //~ ERROR `cost` says how to retry
    Worse,
    #[retryable(cancelled, retry_after = 0)] //~ ERROR `retry_after` says how to retry
    Stopped(std::time::Duration),
}

fn main() {}
