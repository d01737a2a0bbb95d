use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry(policy = pool.size)] //~ ERROR `usize` is not a `Policy`
async fn field(pool: &Pool) -> Result<(), MyError> {
    let _ = pool;
    Ok(())
}

#[retry(policy = POLICY)] //~ ERROR expected `&Policy`, found `&u8`
async fn constant() -> Result<(), MyError> {
    Ok(())
}

#[retry(policy = POLICY, attempts = 2)] //~ ERROR expected `&Policy`, found `&u8`
async fn overridden() -> Result<(), MyError> {
    Ok(())
}

struct Pool {
    size: usize,
}

const POLICY: u8 = 0;

fn main() {}
