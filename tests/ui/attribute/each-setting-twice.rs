use stormless::retry;

#[derive(Debug)]
struct MyError;

#[retry(attempts = 3, attempts = 3)] //~ ERROR `attempts` is given twice: keep one of the two
async fn attempts(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(backoff = "fixed", backoff = "fixed")] //~ ERROR `backoff` is given twice: keep one of the two
async fn backoff(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(base = "1s", base = "1s")] //~ ERROR `base` is given twice: keep one of the two
async fn base(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(max = "2s", max = "2s")] //~ ERROR `max` is given twice: keep one of the two
async fn max(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(factor = 2, factor = 2)] //~ ERROR `factor` is given twice: keep one of the two
async fn factor(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(budget = "orders", budget = "orders")] //~ ERROR `budget` is given twice: keep one of the two
async fn budget(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(deadline = "5s", deadline = "5s")] //~ ERROR `deadline` is given twice: keep one of the two
async fn deadline(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(attempt_timeout = "1s", attempt_timeout = "1s")] //~ ERROR `attempt_timeout` is given twice: keep one of the two
async fn attempt_timeout(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(cut_error = |_| MyError, cut_error = |_| MyError)] //~ ERROR `cut_error` is given twice: keep one of the two
async fn cut_error(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(min_remaining = "1ms", min_remaining = "1ms")] //~ ERROR `min_remaining` is given twice: keep one of the two
async fn min_remaining(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(time_per_attempt = "1ms", time_per_attempt = "1ms")] //~ ERROR `time_per_attempt` is given twice: keep one of the two
async fn time_per_attempt(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(max_retry_after = "1s", max_retry_after = "1s")] //~ ERROR `max_retry_after` is given twice: keep one of the two
async fn max_retry_after(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(idempotent, idempotent)] //~ ERROR `idempotent` is given twice: keep one of the two
async fn idempotent(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(budget = "b", budget_key = id, budget_key = id)] //~ ERROR `budget_key` is given twice: keep one of the two
async fn budget_key(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(idempotency_key = order.id, idempotency_key = order.id)] //~ ERROR `idempotency_key` is given twice: keep one of the two
async fn idempotency_key(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(classify = class, classify = class)] //~ ERROR `classify` is given twice: keep one of the two
async fn classify(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(classify_result = class, classify_result = class)] //~ ERROR `classify_result` is given twice: keep one of the two
async fn classify_result(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(nested = "suppress", nested = "suppress")] //~ ERROR `nested` is given twice: keep one of the two
async fn nested(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(inner = "suppress", inner = "suppress")] //~ ERROR `inner` is given twice: keep one of the two
async fn inner(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(clone(id), clone(id))] //~ ERROR `clone` is given twice: keep one of the two
async fn clone(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(on_retry = log, on_retry = log)] //~ ERROR `on_retry` is given twice: keep one of the two
async fn on_retry(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(policy = POLICY, policy = POLICY)] //~ ERROR `policy` is given twice: keep one of the two
async fn policy(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(name = "a", name = "a")] //~ ERROR `name` is given twice: keep one of the two
async fn name(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(crate = stormless, crate = stormless)] //~ ERROR `crate` is given twice: keep one of the two
async fn by_crate(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(deadline = "5s", uncut, uncut)] //~ ERROR `uncut` is given twice: keep one of the two
async fn uncut() -> Result<(), MyError> {
    Ok(())
}

#[retry(budget = "a", shed, shed)] //~ ERROR `shed` is given twice: keep one of the two
async fn shed() -> Result<(), MyError> {
    Ok(())
}

#[retry(breaker = "a", breaker = "a")] //~ ERROR `breaker` is given twice: keep one of the two
async fn breaker() -> Result<(), MyError> {
    Ok(())
}

#[retry(expect = "p95", expect = "p95")] //~ ERROR `expect` is given twice: keep one of the two
async fn expect() -> Result<(), MyError> {
    Ok(())
}

#[retry(attempt_timeout = "1s", deadline = "5s", last_attempt_untimed, last_attempt_untimed)] //~ ERROR `last_attempt_untimed` is given twice: keep one of the two
async fn last_untimed() -> Result<(), MyError> {
    Ok(())
}

#[retry(hedge = "1s", hedge = "1s", idempotent)] //~ ERROR `hedge` is given twice: keep one of the two
async fn hedge(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

#[retry(hedge = "1s", hedge_max = 1, hedge_max = 1, idempotent)] //~ ERROR `hedge_max` is given twice: keep one of the two
async fn hedge_max(id: u64) -> Result<(), MyError> {
    drop(id);
    Ok(())
}

fn main() {}
