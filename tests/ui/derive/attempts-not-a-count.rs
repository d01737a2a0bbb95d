use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(transient, attempts = 0)]
    Zero,
    #[retryable(transient, attempts = -1)]
    Negative,
    #[retryable(transient, attempts = 1.5)]
    Fraction,
    #[retryable(transient, attempts = "3")]
    Text,
    #[retryable(transient, attempts = 4294967296)]
    TooLarge,
}

fn main() {}
