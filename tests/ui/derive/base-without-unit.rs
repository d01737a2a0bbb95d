use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(transient, base = "50")] //~ ERROR `50` has no unit
    Text,
    #[retryable(transient, base = 50)] //~ ERROR `base` needs a string with a unit
    Number,
    #[retryable(transient, base = 50ms)] //~ ERROR `base` needs a string with a unit
    Unquoted,
    #[retryable(transient, base = 1.5s)] //~ ERROR `base` needs a string with a unit
    UnquotedDecimal,
}

fn main() {}
