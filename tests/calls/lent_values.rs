//! The attribute only looks at the values it is given: what they name stays the function's.

use std::{cell::Cell, sync::Arc};

use stormless::{Cut, Policy, Retryable, current, retry};

#[derive(Debug, PartialEq, Retryable)]
#[retryable(transient)]
struct Failed;

/// Owned, and not `Copy`.
struct Shop {
    name: String,
    policy: Arc<Policy>,
}

impl Shop {
    #[retry(policy = self.policy, idempotency_key = self.name, budget = none)]
    async fn visit(&self, runs: &Cell<u32>) -> Result<String, Failed> {
        runs.set(runs.get() + 1);
        Err(Failed)
    }
}

#[retry(idempotency_key = order, policy = policy)]
async fn send(order: String, policy: Arc<Policy>) -> Result<(String, usize), Failed> {
    let key = current().expect("an attempt is running").idempotency_key().to_string();
    Ok((key, order.len() + Arc::strong_count(&policy)))
}

#[retry(idempotency_key = *text)]
async fn unsized_key(text: &str) -> Result<String, Failed> {
    Ok(current().expect("an attempt is running").idempotency_key().to_string() + text)
}

#[retry(idempotency_key = first + second)]
async fn sum(first: u8, second: u8) -> Result<String, Failed> {
    Ok(current().expect("an attempt is running").idempotency_key().to_string())
}

/// What can be called once is called at most once: a cut ends the attempt.
#[retry(attempts = 1, attempt_timeout = "1s", cut_error = on_cut)]
async fn cut(on_cut: impl FnOnce(Cut) -> Failed) -> Result<(), Failed> {
    std::future::pending().await
}

#[tokio::test]
async fn an_owned_field_or_argument_can_be_the_key_and_the_policy() {
    let policy = Arc::new(Policy::new().attempts(2).backoff(stormless::Backoff::None));
    let shop = Shop { name: "corner".into(), policy: Arc::clone(&policy) };
    let runs = Cell::new(0);
    assert_eq!(shop.visit(&runs).await, Err(Failed));
    assert_eq!(runs.get(), 2);
    let sent = send("order".into(), policy).await;
    assert_eq!(sent, Ok(("order".to_owned(), "order".len() + 2)));
}

#[tokio::test]
async fn a_key_may_have_no_size_of_its_own_or_be_computed() {
    assert_eq!(unsized_key("a").await, Ok("aa".into()));
    assert_eq!(sum(1, 2).await, Ok("3".into()));
}

#[tokio::test(start_paused = true)]
async fn a_cut_may_be_told_by_what_can_be_called_once() {
    let told = Cell::new(0);
    let token = String::from("not `Copy`");
    let on_cut = |cut: Cut| {
        assert!(matches!(cut, Cut::AttemptTimeout(_)));
        drop(token);
        told.set(told.get() + 1);
        Failed
    };
    assert_eq!(cut(on_cut).await, Err(Failed));
    assert_eq!(told.get(), 1);
}
