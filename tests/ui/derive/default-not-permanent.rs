use stormless::Retryable;

#[derive(Retryable)]
#[retryable(default = transient)] //~ ERROR `default` can only be `permanent`
enum Error {
    #[retryable(throttled)]
    Busy,
    Other,
}

fn main() {}
