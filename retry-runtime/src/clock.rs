//! The one place that reads a clock or makes a timer.

use std::{pin::Pin, sync::OnceLock, time::Duration};

use tokio::time::{Instant, Sleep};

use crate::Moment;

/// Where [`Moment`]s count from. The real clock, not a runtime's paused one: a paused clock may lie on
/// either side of it, hence the room below.
fn origin() -> std::time::Instant {
    static ORIGIN: OnceLock<std::time::Instant> = OnceLock::new();
    *ORIGIN.get_or_init(std::time::Instant::now)
}

/// The moment of [`origin`]: 36 years of room for clocks that were paused before it.
const ORIGIN_NANOS: u64 = 1 << 60;

/// Now, on the runtime's monotonic clock (tokio's, so that paused time works).
pub(crate) fn now() -> Moment {
    #[cfg(feature = "testing")]
    crate::testing::count_clock_read();
    moment(Instant::now().into_std())
}

/// The moment of an instant.
pub(crate) fn moment(instant: std::time::Instant) -> Moment {
    let origin = origin();
    let nanos = match instant.checked_duration_since(origin) {
        Some(since) => ORIGIN_NANOS.saturating_add(crate::time::nanos(since)),
        None => ORIGIN_NANOS.saturating_sub(crate::time::nanos(origin - instant)),
    };
    Moment::from_nanos(nanos)
}

/// The instant of a moment; for one that is decades away or beyond the clock's range, an instant decades
/// away.
pub(crate) fn instant(moment: Moment) -> Instant {
    const DECADES: Duration = Duration::from_secs(30 * 365 * 24 * 3600);
    let origin = origin();
    let instant = match moment.as_nanos().checked_sub(ORIGIN_NANOS).map(Duration::from_nanos) {
        // Only what is farther away has to be compared with the clock.
        Some(since) if since > DECADES => None,
        Some(since) => origin.checked_add(since),
        None => origin.checked_sub(Duration::from_nanos(ORIGIN_NANOS - moment.as_nanos())),
    };
    instant.map_or_else(|| Instant::now() + DECADES, Instant::from_std)
}

/// Sleeps on the thread until `moment`.
pub(crate) fn block_until(moment: Moment) {
    let left = now().until(moment);
    #[cfg(feature = "testing")]
    if crate::testing::sleeps_instead(left) {
        return;
    }
    std::thread::sleep(left);
}

/// Sets a timer, which is made if there is none.
///
/// # Panics
///
/// tokio's own panic, outside of a runtime that has a timer.
pub(crate) fn set(mut timer: Pin<&mut Option<Sleep>>, moment: Moment) {
    let instant = instant(moment);
    if timer.is_none() {
        timer.set(Some(tokio::time::sleep_until(instant)));
    }
    // A new one too: this is what registers it with the runtime, before it is first polled.
    if let Some(timer) = timer.as_pin_mut() {
        timer.reset(instant);
    }
}
