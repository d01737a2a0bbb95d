use stormless::Retryable;

#[derive(Retryable)]
#[retryable(default = permanent, default = permanent)] //~ ERROR `default` is given twice
enum Error {
    #[retryable(transient, base = "50ms", cost = 2, base = "1s")] //~ ERROR `base` is given twice
    Blip,
}

fn main() {}
