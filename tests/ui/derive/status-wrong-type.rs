use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(status = code)]
    Signed { code: i32 },
    #[retryable(permanent, status = 0)]
    Text(String),
}

fn main() {}
