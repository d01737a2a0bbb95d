use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(transient, permanent)] //~ ERROR `permanent` contradicts `transient`
    One,
    #[retryable(forward)]
    #[retryable(with = decide)] //~ ERROR `with` contradicts `forward`
    Two(std::convert::Infallible),
}

fn main() {}
