use stormless::Retryable;

struct Inner;

#[derive(Retryable)]
enum Error {
    #[retryable(forward)]
    Inner(Inner),
    #[retryable(forward)]
    Boxed(Box<Inner>),
    #[retryable(forward = why)]
    Named { why: std::rc::Rc<Inner>, other: u8 },
}

fn main() {}
