use stormless::Retryable;

#[derive(Retryable)]
#[retryable(crate = "stormless")] //~ ERROR `crate` needs a path
enum Error {
    #[retryable(transient)]
    Blip,
}

fn main() {}
