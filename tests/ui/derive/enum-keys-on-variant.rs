use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(default = permanent)] //~ ERROR `default` goes on an enum
    Default,
    #[retryable(transient, crate = stormless)] //~ ERROR `crate` goes on the enum
    Crate,
}

fn main() {}
