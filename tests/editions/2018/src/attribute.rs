// The attribute, with every part of its expansion that a setting adds.

use stormless::{retry, Classification, Policy, RetryError, Retryable};

stormless::budget! {
    static EDITIONS: stormless::Budget = stormless::Budget::new("editions").burst(3);
}

#[derive(Debug, PartialEq)]
struct Failed;

impl Retryable for Failed {
    fn classify(&self) -> Classification {
        Classification::permanent()
    }
}

#[retry]
async fn plain(text: &str) -> Result<usize, Failed> {
    if text.is_empty() {
        return Err(Failed);
    }
    Ok(text.len())
}

#[retry(attempts = 1)]
async fn once(text: String) -> Result<String, RetryError<Failed>> {
    Ok(text)
}

#[retry(
    policy = policy, idempotent = true, budget = "editions", deadline = none, clone(text),
    backoff = "fixed", base = "1ms", name = "all", idempotency_key = text.len(),
    classify_result = |_| None, on_retry = |_| (), cut_error = |_| Failed,
)]
async fn all(policy: &Policy, mut text: String) -> Result<String, Failed> {
    text.push('!');
    Ok(text)
}

struct Client(String);

impl Client {
    #[retry(idempotent, hedge = "100ms", clone(suffix), on_retry = |_| ())]
    async fn hedged(&self, suffix: String) -> Result<&str, Failed> {
        drop(suffix);
        Ok(&self.0)
    }
}

#[retry(idempotent, hedge = "p95")]
async fn hedged(text: &str, other: String) -> Result<&str, Failed> {
    if other.is_empty() {
        return Err(Failed);
    }
    Ok(text)
}

#[retry(attempts = N)]
async fn generic<const N: u32>() -> Result<u32, Failed> {
    Ok(N)
}

/// Drives a future that never waits.
fn ready<F: std::future::Future>(future: F) -> F::Output {
    let mut future = Box::pin(future);
    let mut task = std::task::Context::from_waker(std::task::Waker::noop());
    match future.as_mut().poll(&mut task) {
        std::task::Poll::Ready(output) => output,
        std::task::Poll::Pending => panic!("the future waits"),
    }
}

#[test]
fn the_expansion_compiles_and_runs() {
    assert!(EDITIONS.balance() > 2.9);
    assert_eq!(ready(plain("four")), Ok(4));
    assert_eq!(ready(plain("")), Err(Failed));
    assert_eq!(ready(once("a".to_owned())).unwrap(), "a");
    assert_eq!(ready(all(&Policy::new(), "a".to_owned())), Ok("a!".to_owned()));
    assert_eq!(ready(generic::<4>()), Ok(4));
    assert_eq!(ready(Client("a".to_owned()).hedged(String::new())), Ok("a"));
    assert_eq!(ready(hedged("a", "b".to_owned())), Ok("a"));
    assert_eq!(ready(hedged("a", String::new())), Err(Failed));
}
