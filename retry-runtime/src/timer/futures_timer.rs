//! The timer of `futures-timer`.

use std::time::Duration;

use futures_timer::Delay;

use super::{Sleep, Timer, platform};

/// The timer of the crate `futures-timer`: one thread, started at the first wait, wakes whatever waits,
/// on any executor.
///
/// Where that thread cannot be started, a wait panics with the message of `futures-timer`, "timer has gone
/// away".
///
/// ```
/// # use retry_runtime as stormless;
/// stormless::timer::install(stormless::timer::FuturesTimer)?;
/// # Ok::<(), stormless::timer::AlreadyInstalled>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct FuturesTimer;

impl Timer for FuturesTimer {
    fn now(&self) -> Duration {
        platform::elapsed()
    }

    fn sleep_until(&self, at: Duration) -> Sleep {
        Box::pin(Delay::new(at.saturating_sub(self.now())))
    }
}
