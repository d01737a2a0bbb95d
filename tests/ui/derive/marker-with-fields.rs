use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(attempt_timeout)] //~ ERROR `attempt_timeout` needs a unit
    TimedOut(stormless::AttemptTimeout, u8),
}

fn main() {}
