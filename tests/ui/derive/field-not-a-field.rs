use stormless::Retryable;

use std::time::Duration;

#[derive(Retryable)]
enum Error {
    #[retryable(throttled, retry_after = "wait")]
    Quoted { wait: Duration },
    #[retryable(throttled, retry_after = self.wait)]
    Access { wait: Duration },
    #[retryable(status = -1)]
    Negative(u16),
    #[retryable(status = 429u16)]
    Number(u16),
}

fn main() {}
