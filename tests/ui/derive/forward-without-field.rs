use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(forward)]
    Inner,
}

fn main() {}
