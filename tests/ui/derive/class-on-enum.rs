use stormless::Retryable;

#[derive(Retryable)]
#[retryable(transient)] //~ ERROR `transient` goes on a variant
enum Error {
    #[retryable(transient)]
    Blip,
}

fn main() {}
