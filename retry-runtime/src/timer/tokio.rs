//! Tokio's clock and timer, with its paused time.

use std::{
    future::Future,
    pin::Pin,
    sync::OnceLock,
    task::{Context, Poll},
    time::Duration,
};

pub(super) use ::tokio::time::{Sleep, sleep_until};

use ::tokio::time::Instant;

use super::force::ORIGIN_NANOS;
use crate::{Moment, deadline::IntoDeadline, time::nanos};

/// Where [`Moment`]s count from. The real clock, not a runtime's paused one: a paused clock may lie on
/// either side of it, hence the room below.
fn origin() -> std::time::Instant {
    static ORIGIN: OnceLock<std::time::Instant> = OnceLock::new();
    *ORIGIN.get_or_init(std::time::Instant::now)
}

pub(super) fn now() -> Moment {
    moment(Instant::now().into_std())
}

/// The moment of an instant.
pub(super) fn moment(instant: std::time::Instant) -> Moment {
    let origin = origin();
    let nanos = match instant.checked_duration_since(origin) {
        Some(since) => ORIGIN_NANOS.saturating_add(nanos(since)),
        None => ORIGIN_NANOS.saturating_sub(nanos(origin - instant)),
    };
    Moment::from_nanos(nanos)
}

/// The instant of a moment; for one that is decades away or beyond the clock's range, an instant decades
/// away.
pub(super) fn instant(moment: Moment) -> Instant {
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

/// Ready once it has fired.
pub(super) fn poll(mut sleep: Pin<&mut Sleep>, task: &mut Context<'_>) -> Poll<()> {
    // A body that is never out of work uses up what the runtime grants a task between two turns, and then
    // no timer answers any more; whether it has fired can still be seen.
    match sleep.as_mut().poll(task) {
        Poll::Pending if sleep.is_elapsed() => Poll::Ready(()),
        polled => polled,
    }
}

impl IntoDeadline for Instant {
    fn into_moment(self) -> Moment {
        self.into_std().into_moment()
    }
}
