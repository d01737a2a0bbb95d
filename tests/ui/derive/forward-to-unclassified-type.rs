use stormless::Retryable;

struct Inner;

#[derive(Retryable)]
enum Error {
    #[retryable(forward)]
    Inner(Inner), //~ ERROR `Inner` does not say which of its values a retry can help
    #[retryable(forward)]
    Boxed(Box<Inner>), //~ ERROR `Box<Inner>` does not say which of its values a retry can help
    #[retryable(forward = why)]
    Named { why: std::rc::Rc<Inner>, other: u8 }, //~ ERROR `Rc<Inner>` does not say which of its values a retry can help
}

fn main() {}
