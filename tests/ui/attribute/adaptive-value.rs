use stormless::retry;

#[derive(Debug, stormless::Retryable)]
#[retryable(transient)]
struct Down;

static OTHER: u32 = 7;

#[retry(backoff = "adaptive", breaker = none, adaptive = OTHER)] //~ ERROR expected `&Adaptive`, found `&u32`
async fn of_another_type() -> Result<(), Down> {
    Err(Down)
}

fn main() {}
