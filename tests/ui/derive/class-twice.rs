use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(transient)]
    #[retryable(transient)]
    Blip,
}

fn main() {}
