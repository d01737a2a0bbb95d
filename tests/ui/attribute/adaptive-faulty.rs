use stormless::{adaptive::Adaptive, retry};

#[derive(Debug, stormless::Retryable)]
#[retryable(transient)]
struct Down;

const FAULTY: Adaptive = Adaptive::new().cpu_above(70.0);

#[retry(backoff = "adaptive", breaker = none, adaptive = FAULTY)] //~ ERROR `cpu_above` must be a share above 0 and at most 1
async fn in_per_cent() -> Result<(), Down> {
    Err(Down)
}

fn main() {}
