use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(transient, cost = 0)]
    Zero,
    #[retryable(transient, cost = true)]
    Flag,
}

fn main() {}
