use stormless::{adaptive::Adaptive, retry};

#[derive(Debug, stormless::Retryable)]
enum MyError {
    #[retryable(transient)]
    Down,
    #[retryable(deadline_exceeded)]
    TooLate,
}

static PATIENT: Adaptive = Adaptive::new().cpu_above(0.7);

#[retry(adaptive = PATIENT)] //~ ERROR `adaptive` has no effect without `backoff = "adaptive"`
async fn without_the_backoff() -> Result<(), MyError> {
    Ok(())
}

#[retry(backoff = "fixed", adaptive = PATIENT)] //~ ERROR `adaptive` has no effect without `backoff = "adaptive"`
async fn with_another_backoff() -> Result<(), MyError> {
    Ok(())
}

#[retry(backoff = "adaptive", breaker = none, adaptive = "patient")] //~ ERROR `adaptive` needs the path of a const or static `Adaptive`
async fn in_quotes() -> Result<(), MyError> {
    Ok(())
}

#[retry(backoff = "adaptive", breaker = none, adaptive = Adaptive::new())] //~ ERROR `adaptive` is fixed at compile time
async fn an_expression() -> Result<(), MyError> {
    Ok(())
}

#[retry(backoff = "adaptive", breaker = none, deadline = "99ms")] //~ ERROR `deadline` ("99ms") leaves no time for an attempt
async fn no_time() -> Result<(), MyError> {
    Ok(())
}

#[retry(backoff = "adaptive")] //~ ERROR backoff "adaptive" needs a `breaker`
async fn without_a_breaker() -> Result<(), MyError> {
    Ok(())
}

fn main() {}
