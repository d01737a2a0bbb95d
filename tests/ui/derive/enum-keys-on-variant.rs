use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(default = permanent)]
    Default,
    #[retryable(transient, crate = stormless)]
    Crate,
}

fn main() {}
