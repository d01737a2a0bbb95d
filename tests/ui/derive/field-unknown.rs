use stormless::Retryable;

use std::time::Duration;

#[derive(Retryable)]
enum Error {
    #[retryable(throttled, retry_after = wiat)]
    Misspelt { wait: Duration, code: u16 },
    #[retryable(status = 2)]
    OutOfRange(u16, u16),
    #[retryable(throttled, retry_after = wait)]
    Tuple(Duration),
    #[retryable(forward = inner)]
    Unit,
}

fn main() {}
