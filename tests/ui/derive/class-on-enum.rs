use stormless::Retryable;

#[derive(Retryable)]
#[retryable(transient)]
enum Error {
    #[retryable(transient)]
    Blip,
}

fn main() {}
