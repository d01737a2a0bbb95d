use stormless::Retryable;

#[derive(Retryable)]
#[retryable(default = permanent)]
struct Error;

fn main() {}
