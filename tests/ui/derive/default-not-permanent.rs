use stormless::Retryable;

#[derive(Retryable)]
#[retryable(default = transient)]
enum Error {
    #[retryable(throttled)]
    Busy,
    Other,
}

fn main() {}
