use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry(budget = pool.size())]
async fn call(pool: &Pool) -> Result<(), MyError> {
    let _ = pool;
    Ok(())
}

#[retry(budget = pool.size)]
async fn field(pool: &Pool) -> Result<(), MyError> {
    let _ = pool;
    Ok(())
}

#[retry(budget = BUDGET)]
async fn constant() -> Result<(), MyError> {
    Ok(())
}

struct Pool {
    size: usize,
}

impl Pool {
    fn size(&self) -> usize {
        self.size
    }
}

const BUDGET: u8 = 0;

fn main() {}
