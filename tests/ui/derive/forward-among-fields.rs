use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(forward)]
    Inner { inner: std::convert::Infallible, other: u8 },
    #[retryable(forward)]
    Tuple(u8, std::convert::Infallible),
}

fn main() {}
