use stormless::Retryable;

#[derive(Retryable)]
#[retryable(crate = "stormless")]
enum Error {
    #[retryable(transient)]
    Blip,
}

fn main() {}
