use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(transient, base = "")] //~ ERROR a duration is empty
    Empty,
    #[retryable(transient, base = "0ms")] //~ ERROR `base` must be above zero
    Zero,
    #[retryable(transient, base = "-5s")] //~ ERROR a duration cannot be negative
    Negative,
    #[retryable(transient, base = -5)] //~ ERROR `base` cannot be negative
    NegativeNumber,
    #[retryable(transient, base = "5sec")] //~ ERROR `sec` is not a unit
    Unit,
    #[retryable(transient, base = "30s1m")] //~ ERROR `m` comes after `s`
    Ascending,
    #[retryable(transient, base = "1s1s")] //~ ERROR the unit `s` comes twice
    Repeated,
    #[retryable(transient, base = "99999999999999999999s")] //~ ERROR `99999999999999999999s` is longer than a duration can be
    TooLong,
    #[retryable(transient, base = Duration::from_secs(1))] //~ ERROR `base` needs a duration in a string
    Expression,
}

fn main() {}
