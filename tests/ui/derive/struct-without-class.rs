use stormless::Retryable;

#[derive(Retryable)]
struct Error(u8);

fn main() {}
