use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(transient, base = "")]
    Empty,
    #[retryable(transient, base = "0ms")]
    Zero,
    #[retryable(transient, base = "-5s")]
    Negative,
    #[retryable(transient, base = -5)]
    NegativeNumber,
    #[retryable(transient, base = "5sec")]
    Unit,
    #[retryable(transient, base = "30s1m")]
    Ascending,
    #[retryable(transient, base = "1s1s")]
    Repeated,
    #[retryable(transient, base = "99999999999999999999s")]
    TooLong,
    #[retryable(transient, base = Duration::from_secs(1))]
    Expression,
}

fn main() {}
