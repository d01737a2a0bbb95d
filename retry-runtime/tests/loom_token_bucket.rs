//! Every interleaving of the bucket's operations:
//! `RUSTFLAGS="--cfg stormless_loom" cargo test -p retry-runtime --test loom_token_bucket --release`
#![cfg(stormless_loom)]

mod sync {
    pub(crate) use loom::sync::atomic::{AtomicU64, Ordering};
}
#[allow(dead_code, reason = "builders that the model does not need")]
#[path = "../src/budget/token_bucket.rs"]
mod token_bucket;

use loom::sync::Arc;
use loom::thread;
use sync::AtomicU64;
use token_bucket::TokenBucket;

/// Units of a retry, and what an answer earns.
const RETRY: u64 = 10;
const EARNED: u64 = 3;

/// A bucket of two retries with this much missing.
fn bucket(deficit: u64) -> Arc<TokenBucket> {
    Arc::new(TokenBucket::new(AtomicU64::new(deficit), 2 * RETRY, RETRY, EARNED))
}

fn run<T: 'static>(
    bucket: &Arc<TokenBucket>,
    operation: impl FnOnce(&TokenBucket) -> T + 'static,
) -> thread::JoinHandle<T> {
    let bucket = bucket.clone();
    thread::spawn(move || operation(&bucket))
}

#[test]
fn two_that_race_for_the_last_retry_get_one() {
    loom::model(|| {
        let bucket = bucket(RETRY);
        let other = run(&bucket, |bucket| bucket.take(RETRY));
        let mine = bucket.take(RETRY);
        assert!(mine ^ other.join().unwrap());
        assert_eq!(bucket.available(), 0);
    });
}

#[test]
fn a_refusal_changes_nothing_while_others_earn() {
    loom::model(|| {
        let bucket = bucket(2 * RETRY);
        let earning = run(&bucket, TokenBucket::earn);
        assert!(!bucket.take(RETRY));
        earning.join().unwrap();
        assert_eq!(bucket.available(), EARNED);
    });
}

#[test]
fn deposit_withdrawal_and_return_lose_nothing() {
    loom::model(|| {
        // Half a retry is left, and there is room for all that is added.
        let bucket = bucket(RETRY + 5);
        let earning = run(&bucket, TokenBucket::earn);
        let returning = run(&bucket, |bucket| bucket.refill(RETRY));
        let granted = bucket.take(RETRY);
        earning.join().unwrap();
        returning.join().unwrap();
        let spent = if granted { RETRY } else { 0 };
        assert_eq!(bucket.available(), 5 + EARNED + RETRY - spent);
    });
}

#[test]
fn a_withdrawal_that_a_deposit_makes_possible_is_granted_or_refused_whole() {
    loom::model(|| {
        let bucket = bucket(RETRY + EARNED);
        let earning = run(&bucket, TokenBucket::earn);
        let granted = bucket.take(RETRY);
        earning.join().unwrap();
        assert_eq!(bucket.available(), if granted { 0 } else { RETRY });
    });
}

#[test]
fn a_bucket_that_others_fill_and_empty_never_passes_full_or_empty() {
    loom::model(|| {
        let bucket = bucket(2);
        let earning = run(&bucket, |bucket| {
            bucket.earn();
            bucket.earn();
        });
        let spending = run(&bucket, |bucket| {
            if bucket.take(2 * RETRY) {
                bucket.refill(2 * RETRY);
            }
        });
        earning.join().unwrap();
        spending.join().unwrap();
        // Whatever was earned on the way, returning two retries fills it. One step past either end
        // would wrap around the word, or leave a bucket from which three retries can be taken.
        assert_eq!(bucket.available(), 2 * RETRY);
        assert!(bucket.take(2 * RETRY));
        assert!(!bucket.take(RETRY));
    });
}
