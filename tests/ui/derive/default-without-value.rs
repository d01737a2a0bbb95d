use stormless::Retryable;

#[derive(Retryable)]
#[retryable(default)] //~ ERROR `default` needs a value
enum Error {
    Other,
}

fn main() {}
