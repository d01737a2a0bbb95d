use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(throttled, retry_after = seconds)]
    Busy { seconds: u64 },
    #[retryable(throttled, retry_after = 0)]
    Later(Option<std::time::Instant>),
}

fn main() {}
