use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(with = by_code)] //~ ERROR expected fn pointer, found fn item
    Code(u16),
    #[retryable(with = missing)] //~ ERROR cannot find value `missing` in this scope
    Missing,
}

fn by_code(code: u16) -> bool {
    code == 503
}

fn main() {}
