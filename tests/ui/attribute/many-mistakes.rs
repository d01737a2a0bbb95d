use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(
    attempts = 0,
    base = 50,
    max = "1",
    factor = 0.5,
    backoff = "jitter",
    bugdet = "orders",
    budget = "",
    nested = "maybe",
    max_retry_after = "0s",
    uncut,
    clone(reqest),
    name = 7,
    attempts = 2,
    on_retry = log(),
    "loose",
)]
async fn fetch(mut request: String) -> Result<String, MyError> {
    request.push('a');
    Ok(request)
}

fn main() {
    drop(fetch(String::new()));
}
