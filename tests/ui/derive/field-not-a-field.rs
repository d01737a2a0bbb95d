use stormless::Retryable;

use std::time::Duration;

#[derive(Retryable)]
enum Error {
    #[retryable(throttled, retry_after = "wait")] //~ ERROR `retry_after` needs the name or position of a field
    Quoted { wait: Duration },
    #[retryable(throttled, retry_after = self.wait)] //~ ERROR `retry_after` needs the name or position of a field
    Access { wait: Duration },
    #[retryable(status = -1)] //~ ERROR `status` needs the name or position of a field
    Negative(u16),
    #[retryable(status = 429u16)] //~ ERROR `status` needs the name or position of a field
    Number(u16),
}

fn main() {}
