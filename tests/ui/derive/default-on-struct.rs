use stormless::Retryable;

#[derive(Retryable)]
#[retryable(default = permanent)] //~ ERROR `default` goes on an enum
struct Error;

fn main() {}
