use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(expect = "p42")] //~ ERROR "p42" is no value of `expect`, expected one of "p50", "p75", "p90", "p95", "p99"
async fn p42() -> Result<(), MyError> {
    Ok(())
}

#[retry(expect = "P95")] //~ ERROR "P95" is no value of `expect`, expected one of "p50", "p75", "p90", "p95", "p99"
async fn capital() -> Result<(), MyError> {
    Ok(())
}

#[retry(expect = "100ms")] //~ ERROR "100ms" is no value of `expect`, expected one of "p50", "p75", "p90", "p95", "p99"
async fn duration() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
