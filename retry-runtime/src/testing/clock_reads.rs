//! What the warm path must not do, counted.

use std::cell::Cell;

thread_local! {
    static CLOCK_READS: Cell<u64> = const { Cell::new(0) };
}

/// How often this crate has read the clock on this thread.
///
/// For tests that hold a function to its price: a call that succeeds at once and has no deadline reads
/// no clock, and one that fails reads it once for each decision, and once more for each wait that
/// blocks. Take the difference of two readings
/// around the calls, on one thread.
///
/// ```standalone_crate
/// # use retry_runtime as stormless;
/// use stormless::{Policy, testing::{clock_reads, isolated_sync}};
///
/// isolated_sync(|| {
///     let before = clock_reads();
///     assert_eq!(Policy::new().run_blocking(|| Ok::<_, std::io::Error>(7)).call().unwrap(), 7);
///     assert_eq!(clock_reads(), before);
/// });
/// ```
#[must_use]
pub fn clock_reads() -> u64 {
    CLOCK_READS.get()
}

pub(crate) fn count_clock_read() {
    CLOCK_READS.set(CLOCK_READS.get() + 1);
}
