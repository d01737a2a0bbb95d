use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(transient, attempts = 0)] //~ ERROR `attempts` needs a whole number from 1 to 4294967295
    Zero,
    #[retryable(transient, attempts = -1)] //~ ERROR `attempts` needs a whole number from 1 to 4294967295
    Negative,
    #[retryable(transient, attempts = 1.5)] //~ ERROR `attempts` needs a whole number from 1 to 4294967295
    Fraction,
    #[retryable(transient, attempts = "3")] //~ ERROR `attempts` needs a whole number from 1 to 4294967295
    Text,
    #[retryable(transient, attempts = 4294967296)] //~ ERROR `attempts` needs a whole number from 1 to 4294967295
    TooLarge,
}

fn main() {}
