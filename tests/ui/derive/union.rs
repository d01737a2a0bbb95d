use stormless::Retryable;

#[derive(Retryable)]
union Error { //~ ERROR `Retryable` cannot be derived for a union
    code: u16,
    status: u16,
}

fn main() {}
