use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(with = by_code)]
    Code(u16),
    #[retryable(with = missing)]
    Missing,
}

fn by_code(code: u16) -> bool {
    code == 503
}

fn main() {}
