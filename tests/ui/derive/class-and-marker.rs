use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(timeout, deadline_exceeded)] //~ ERROR `deadline_exceeded` contradicts `timeout`
    Late,
    #[retryable(attempt_timeout, breaker_open)] //~ ERROR `breaker_open` contradicts `attempt_timeout`
    Cut,
}

fn main() {}
