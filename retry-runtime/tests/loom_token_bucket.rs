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
    let (capacity, earned) = (AtomicU64::new(2 * RETRY), AtomicU64::new(EARNED));
    Arc::new(TokenBucket::new(AtomicU64::new(deficit), capacity, RETRY, earned))
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

#[test]
fn a_bucket_that_shrinks_while_it_is_taken_from_is_never_below_empty() {
    loom::model(|| {
        let bucket = bucket(0);
        let taking = run(&bucket, |bucket| bucket.take(2 * RETRY));
        bucket.change_capacity(RETRY);
        let granted = taking.join().unwrap();
        // Before the change all of it was there, and after it no such retry is.
        let left = if granted { 0 } else { RETRY };
        assert_eq!(bucket.available(), left);
        // A deficit deeper than the bucket would swallow this.
        bucket.refill(RETRY);
        assert_eq!(bucket.available(), RETRY);
    });
}

#[test]
fn a_bucket_that_shrinks_while_failures_empty_it_is_never_below_empty() {
    loom::model(|| {
        let bucket = bucket(RETRY);
        let failing = run(&bucket, |bucket| bucket.take_up_to(2 * RETRY));
        bucket.change_capacity(RETRY);
        failing.join().unwrap();
        // In the midst of the change there seems to be nothing to take.
        assert!([0, RETRY].contains(&bucket.available()));
        // A deficit deeper than the bucket would swallow this.
        bucket.refill(RETRY);
        assert_eq!(bucket.available(), RETRY);
    });
}

#[test]
fn a_bucket_that_grows_while_it_is_used_keeps_what_it_holds() {
    loom::model(|| {
        // Half a retry is left.
        let bucket = bucket(RETRY + 5);
        let earning = run(&bucket, TokenBucket::earn);
        let taking = run(&bucket, |bucket| bucket.take(RETRY));
        bucket.change_capacity(5 * RETRY);
        earning.join().unwrap();
        assert!(!taking.join().unwrap(), "nothing of what is new was earned");
        assert_eq!(bucket.available(), 5 + EARNED);
    });
}

#[test]
fn a_bucket_that_shrinks_and_grows_while_it_is_used_grants_no_more_than_it_held() {
    loom::model(|| {
        let bucket = bucket(RETRY);
        let taking =
            run(&bucket, |bucket| u64::from(bucket.take(RETRY)) + u64::from(bucket.take(RETRY)));
        bucket.change_capacity(RETRY + 1);
        bucket.change_capacity(3 * RETRY);
        let granted = taking.join().unwrap();
        assert!(granted <= 1);
        assert_eq!(bucket.available(), RETRY - granted * RETRY);
    });
}
