use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(transient)]
    #[retryable(transient)] //~ ERROR `transient` is given twice
    Blip,
}

fn main() {}
