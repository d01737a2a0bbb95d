use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(throttled)]
    Busy(#[retryable(retry_after)] std::time::Duration), //~ ERROR `retryable` goes on the variant or struct
}

#[derive(Retryable)]
#[retryable(status = code)]
struct Response {
    #[retryable(status)] //~ ERROR `retryable` goes on the variant or struct
    code: u16,
}

fn main() {}
