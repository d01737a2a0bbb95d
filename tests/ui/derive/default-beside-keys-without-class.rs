use stormless::Retryable;

#[derive(Retryable)]
#[retryable(default = permanent)]
enum Error {
    #[retryable(executed)]
    NotFound,
    Other,
}

fn main() {}
