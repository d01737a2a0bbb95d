use stormless::Retryable;

#[derive(Retryable)]
#[retryable(default = permanent)]
enum Error {
    #[retryable(executed)]
    NotFound, //~ ERROR variant `NotFound` has no class
    Other,
}

fn main() {}
