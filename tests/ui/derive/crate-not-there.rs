use stormless::Retryable;

#[derive(Retryable)]
#[retryable(crate = crate::retries)] //~ ERROR cannot find `retries` in `crate`
enum Error {
    #[retryable(transient)]
    Blip,
}

fn main() {}
