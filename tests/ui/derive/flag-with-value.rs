use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(transient = true)] //~ ERROR `transient` takes no value
    Class,
    #[retryable(timeout, executed = false)] //~ ERROR `executed` takes no value
    Execution,
    #[retryable(throttled, local = 1)] //~ ERROR `local` takes no value
    Local,
    #[retryable(breaker_open = "1s")] //~ ERROR `breaker_open` takes no value
    Marker,
}

fn main() {}
