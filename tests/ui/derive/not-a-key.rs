use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(transient local)]
    Comma,
    #[retryable("transient")]
    Quoted,
    #[retryable(transient, base("1s"))]
    Parentheses,
    #[retryable(transient, base: "1s", cost = 0)]
    Colon,
    #[retryable(with = decide(1 2), cost = 0)]
    Expression,
}

fn main() {}
