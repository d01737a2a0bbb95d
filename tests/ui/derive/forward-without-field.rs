use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(forward)] //~ ERROR `forward` needs one field to ask
    Inner,
}

fn main() {}
