use stormless::Retryable;

#[derive(Retryable)]
#[retryable(default)]
enum Error {
    Other,
}

fn main() {}
