//! The body of every subject: it fails once for each call, and then succeeds.

use std::{
    fmt,
    hint::black_box,
    sync::{
        OnceLock,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

use stormless::Retryable;

/// What the body fails with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Retryable)]
#[retryable(transient)]
pub struct Down;

impl fmt::Display for Down {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("down")
    }
}

impl std::error::Error for Down {}

/// One bit for each call that has failed.
static FAILED: OnceLock<Vec<AtomicU64>> = OnceLock::new();
static FAILURES: AtomicU64 = AtomicU64::new(0);
static SUCCESSES: AtomicU64 = AtomicU64::new(0);

/// Makes room for the calls with numbers below this.
pub fn expect(calls: u64) {
    FAILED.get_or_init(|| (0..=calls / 64).map(|_| AtomicU64::new(0)).collect());
}

/// How many calls have failed once, and how many have succeeded after that.
pub fn seen() -> (u64, u64) {
    (FAILURES.load(Relaxed), SUCCESSES.load(Relaxed))
}

/// Fails for each call once.
///
/// # Errors
///
/// The first time.
#[inline(never)]
pub fn work(call: u64) -> Result<u64, Down> {
    let at = usize::try_from(call / 64).unwrap_or(usize::MAX);
    let word = FAILED.get().and_then(|words| words.get(at));
    let bit = 1 << (call % 64);
    if word.is_some_and(|word| word.fetch_or(bit, Relaxed) & bit == 0) {
        FAILURES.fetch_add(1, Relaxed);
        Err(Down)
    } else {
        SUCCESSES.fetch_add(1, Relaxed);
        Ok(black_box(call))
    }
}
