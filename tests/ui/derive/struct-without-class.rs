use stormless::Retryable;

#[derive(Retryable)]
struct Error(u8); //~ ERROR struct `Error` has no class

fn main() {}
