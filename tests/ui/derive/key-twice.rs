use stormless::Retryable;

#[derive(Retryable)]
#[retryable(default = permanent, default = permanent)]
enum Error {
    #[retryable(transient, base = "50ms", cost = 2, base = "1s")]
    Blip,
}

fn main() {}
