use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(retry(attempts = 3))] //~ ERROR unknown setting `retry`: use one of `attempts`
async fn itself() -> Result<(), MyError> {
    Ok(())
}

#[retry(backoff(base = "1s", max = "2s"))] //~ ERROR `backoff` is written with `=`: `backoff = "full_jitter"`
async fn grouped() -> Result<(), MyError> {
    Ok(())
}

#[retry(fixed = "1s")] //~ ERROR unknown setting `fixed`: use one of `attempts`
async fn fixed() -> Result<(), MyError> {
    Ok(())
}

#[retry(full_jitter)] //~ ERROR unknown setting `full_jitter`
async fn full_jitter() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
