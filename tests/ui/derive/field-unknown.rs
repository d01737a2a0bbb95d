use stormless::Retryable;

use std::time::Duration;

#[derive(Retryable)]
enum Error {
    #[retryable(throttled, retry_after = wiat)] //~ ERROR there is no field `wiat`
    Misspelt { wait: Duration, code: u16 },
    #[retryable(status = 2)] //~ ERROR there is no field `2`
    OutOfRange(u16, u16),
    #[retryable(throttled, retry_after = wait)] //~ ERROR there is no field `wait`
    Tuple(Duration),
    #[retryable(forward = inner)] //~ ERROR there is no field `inner`
    Unit,
}

fn main() {}
