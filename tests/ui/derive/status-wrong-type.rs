use stormless::Retryable;

#[derive(Retryable)]
enum Error {
    #[retryable(status = code)]
    Signed { code: i32 }, //~ ERROR `status` needs a field that is `Copy` and `Into<u16>`
    #[retryable(permanent, status = 0)]
    Text(String), //~ ERROR `status` needs a field that is `Copy` and `Into<u16>`
}

fn main() {}
