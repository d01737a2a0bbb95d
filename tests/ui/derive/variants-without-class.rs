use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    First,
    #[retryable(transient)]
    Second,
    #[retryable(base = "50ms", local)]
    Third(u8),
    r#Fourth { field: u8 },
}

fn main() {}
