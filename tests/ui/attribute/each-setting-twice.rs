use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempts = 3, attempts = 3)]
async fn attempts(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(backoff = "fixed", backoff = "fixed")]
async fn backoff(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(base = "1s", base = "1s")]
async fn base(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(max = "2s", max = "2s")]
async fn max(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(factor = 2, factor = 2)]
async fn factor(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(budget = "orders", budget = "orders")]
async fn budget(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(deadline = "5s", deadline = "5s")]
async fn deadline(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(attempt_timeout = "1s", attempt_timeout = "1s")]
async fn attempt_timeout(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(cut_error = |_| MyError, cut_error = |_| MyError)]
async fn cut_error(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(min_remaining = "1ms", min_remaining = "1ms")]
async fn min_remaining(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(time_per_attempt = "1ms", time_per_attempt = "1ms")]
async fn time_per_attempt(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(max_retry_after = "1s", max_retry_after = "1s")]
async fn max_retry_after(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(idempotent, idempotent)]
async fn idempotent(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(idempotency_key = order.id, idempotency_key = order.id)]
async fn idempotency_key(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(classify = class, classify = class)]
async fn classify(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(classify_result = class, classify_result = class)]
async fn classify_result(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(nested = "suppress", nested = "suppress")]
async fn nested(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(inner = "suppress", inner = "suppress")]
async fn inner(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(clone(id), clone(id))]
async fn clone(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(on_retry = log, on_retry = log)]
async fn on_retry(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(policy = POLICY, policy = POLICY)]
async fn policy(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(name = "a", name = "a")]
async fn name(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(crate = stormless, crate = stormless)]
async fn by_crate(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(deadline = "5s", uncut, uncut)]
async fn uncut() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
