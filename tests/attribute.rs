//! What the attribute's expansion must do.

use stormless::{Classification, Retryable, retry};

#[derive(Debug, PartialEq)]
struct Failed(u32);

impl Retryable for Failed {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

#[retry]
async fn count(calls: &mut u32) -> Result<(), Failed> {
    *calls += 1;
    Err(Failed(*calls))
}

#[tokio::test(start_paused = true)]
async fn three_attempts_are_the_default() {
    let mut calls = 0;
    assert_eq!(count(&mut calls).await, Err(Failed(3)));
    assert_eq!(calls, 3);
}
