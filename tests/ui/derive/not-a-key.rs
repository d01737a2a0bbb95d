use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(transient local)] //~ ERROR expected `,` before the next key
    Comma,
    #[retryable("transient")] //~ ERROR expected a key without quotes
    Quoted,
    #[retryable(transient, base("1s"))] //~ ERROR `base` takes no parentheses
    Parentheses,
    #[retryable(transient, base: "1s", cost = 0)] //~ ERROR expected `,` before the next key //~ ERROR `cost` needs a whole number from 1 to 4294967295
    Colon,
    #[retryable(with = decide(1 2), cost = 0)] //~ ERROR expected `,` //~ ERROR `cost` needs a whole number from 1 to 4294967295
    Expression,
}

fn main() {}
