use stormless::Retryable;

#[derive(Retryable)]
union Error {
    code: u16,
    status: u16,
}

fn main() {}
