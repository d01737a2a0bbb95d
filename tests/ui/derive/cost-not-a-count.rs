use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(transient, cost = 0)] //~ ERROR `cost` needs a whole number from 1 to 4294967295
    Zero,
    #[retryable(transient, cost = true)] //~ ERROR `cost` needs a whole number from 1 to 4294967295
    Flag,
}

fn main() {}
