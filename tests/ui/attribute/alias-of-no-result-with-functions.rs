use stormless::{Classification, retry};

#[retry(
    attempt_timeout = "1s",
    cut_error = |_| (),
    classify = |_| Classification::transient(),
    on_retry = |_| (),
)]
async fn fetch() -> Answer<u8> { //~ ERROR `#[retry]` needs a function that returns `Result<_, _>`
    Vec::new()
}

type Answer<T> = Vec<T>;

fn main() {}
