use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(throttled, retry_after = seconds)]
    Busy { seconds: u64 }, //~ ERROR `retry_after` needs a field of type `Duration` or `Option<Duration>`
    #[retryable(throttled, retry_after = 0)]
    Later(Option<std::time::Instant>), //~ ERROR `retry_after` needs a field of type `Duration` or `Option<Duration>`
}

fn main() {}
