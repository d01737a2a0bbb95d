use stormless::{Classification, Retryable, retry};

struct MyError;

impl Retryable for MyError {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry(budget = pool.size())] //~ ERROR expected `&Budget`, found `usize`
async fn call(pool: &Pool) -> Result<(), MyError> {
    let _ = pool;
    Ok(())
}

#[retry(budget = pool.size)] //~ ERROR expected `&Budget`, found `usize`
async fn field(pool: &Pool) -> Result<(), MyError> {
    let _ = pool;
    Ok(())
}

#[retry(budget = BUDGET)] //~ ERROR expected `&Budget`, found `&u8`
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
