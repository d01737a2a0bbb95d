use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(throttled)]
    Busy(#[retryable(retry_after)] std::time::Duration),
}

#[derive(Retryable)]
#[retryable(status = code)]
struct Response {
    #[retryable(status)]
    code: u16,
}

fn main() {}
