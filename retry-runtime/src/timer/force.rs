//! Which timer is in force, and what goes by it without waiting.

use std::{
    sync::OnceLock,
    time::{Duration, Instant},
};

use super::{Timer, platform};
use crate::{Moment, time::nanos};

/// The process's timer.
#[allow(dead_code, reason = "which of them there are depends on the features and the target")]
pub(super) enum Force {
    #[cfg(feature = "tokio-1")]
    Tokio,
    Other(Box<dyn Timer>),
    /// There is a clock, and nothing to wait with.
    Nothing,
}

static FORCE: OnceLock<Force> = OnceLock::new();

/// The moment of a timer's zero: room for instants that lie before it.
pub(super) const ORIGIN_NANOS: u64 = 1 << 60;

/// The timer in force; from here on no other can be.
#[inline]
pub(super) fn force() -> &'static Force {
    FORCE.get_or_init(by_default)
}

pub(super) fn install(timer: Box<dyn Timer>) -> Result<(), Force> {
    FORCE.set(Force::Other(timer))
}

#[cfg(all(feature = "gloo-timers-0-4", target_family = "wasm", target_os = "unknown"))]
fn by_default() -> Force {
    Force::Other(Box::new(super::GlooTimers))
}

/// Tokio's clock is the standard library's, which panics here, as its sleep does.
#[cfg(all(not(feature = "gloo-timers-0-4"), target_family = "wasm", target_os = "unknown"))]
const fn by_default() -> Force {
    Force::Nothing
}

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
fn by_default() -> Force {
    #[cfg(feature = "tokio-1")]
    {
        Force::Tokio
    }
    #[cfg(all(not(feature = "tokio-1"), feature = "async-io-2"))]
    {
        Force::Other(Box::new(super::AsyncIo))
    }
    #[cfg(all(not(any(feature = "tokio-1", feature = "async-io-2")), feature = "futures-timer-3"))]
    {
        Force::Other(Box::new(super::FuturesTimer))
    }
    #[cfg(not(any(feature = "tokio-1", feature = "async-io-2", feature = "futures-timer-3")))]
    {
        Force::Nothing
    }
}

/// Whether there would be nothing to wait with, if nothing were installed from here on. Settles nothing.
pub(crate) fn is_missing() -> bool {
    FORCE.get().map_or_else(
        || matches!(by_default(), Force::Nothing),
        |force| matches!(force, Force::Nothing),
    )
}

/// Whether a wait ends by itself: one on the thread, or one of a future.
pub(crate) fn can_wait(on_thread: bool) -> bool {
    match force() {
        #[cfg(feature = "tokio-1")]
        Force::Tokio => true,
        Force::Other(timer) => !on_thread || timer.can_block(),
        Force::Nothing => on_thread && platform::CAN_BLOCK,
    }
}

/// Now.
pub(crate) fn now() -> Moment {
    match force() {
        #[cfg(feature = "tokio-1")]
        Force::Tokio => super::tokio::now(),
        Force::Other(timer) => of_time(timer.now()),
        Force::Nothing => of_time(platform::elapsed()),
    }
}

/// The moment of an instant.
pub(crate) fn moment(instant: Instant) -> Moment {
    match force() {
        #[cfg(feature = "tokio-1")]
        Force::Tokio => super::tokio::moment(instant),
        // As far from now as it is on the clock that it was taken from.
        Force::Other(_) | Force::Nothing => {
            let (now, real) = (now(), Instant::now());
            match instant.checked_duration_since(real) {
                Some(ahead) => now.after(ahead),
                None => Moment::from_nanos(now.as_nanos().saturating_sub(nanos(real - instant))),
            }
        }
    }
}

/// Keeps the thread until `moment`, which is so far away.
pub(crate) fn block_until(moment: Moment, left: Duration) {
    match force() {
        Force::Other(timer) => timer.block_until(time_of(moment)),
        #[cfg(feature = "tokio-1")]
        Force::Tokio => std::thread::sleep(left),
        Force::Nothing => std::thread::sleep(left),
    }
}

/// The moment of a timer's time.
fn of_time(time: Duration) -> Moment {
    Moment::from_nanos(ORIGIN_NANOS).after(time)
}

/// A timer's time at a moment.
pub(super) const fn time_of(moment: Moment) -> Duration {
    Duration::from_nanos(moment.as_nanos().saturating_sub(ORIGIN_NANOS))
}
