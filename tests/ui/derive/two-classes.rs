use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(transient, permanent)]
    One,
    #[retryable(forward)]
    #[retryable(with = decide)]
    Two(std::convert::Infallible),
}

fn main() {}
