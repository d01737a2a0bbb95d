use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(transient, base = "50")]
    Text,
    #[retryable(transient, base = 50)]
    Number,
    #[retryable(transient, base = 50ms)]
    Unquoted,
    #[retryable(transient, base = 1.5s)]
    UnquotedDecimal,
}

fn main() {}
