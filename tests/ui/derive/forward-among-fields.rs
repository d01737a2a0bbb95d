use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(forward)] //~ ERROR `forward` needs one field to ask
    Inner { inner: std::convert::Infallible, other: u8 },
    #[retryable(forward)] //~ ERROR `forward` needs one field to ask
    Tuple(u8, std::convert::Infallible),
}

fn main() {}
