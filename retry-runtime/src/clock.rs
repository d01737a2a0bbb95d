//! The one place where the engine reads the clock, or keeps a thread.

use crate::{Moment, timer};

/// Now, on the monotonic clock of the timer in force.
pub(crate) fn now() -> Moment {
    #[cfg(feature = "testing")]
    crate::testing::count_clock_read();
    timer::now()
}

/// Sleeps on the thread until `moment`.
pub(crate) fn block_until(moment: Moment) {
    let left = now().until(moment);
    #[cfg(feature = "testing")]
    if crate::testing::sleeps_instead(left) {
        return;
    }
    #[cfg(feature = "testing")]
    if crate::isolation::skips_delays() {
        return std::thread::yield_now();
    }
    timer::block_until(moment, left);
}
