use stormless::Retryable;

#[derive(Retryable)]
#[retryable(crate = crate::retries)]
enum Error {
    #[retryable(transient)]
    Blip,
}

fn main() {}
