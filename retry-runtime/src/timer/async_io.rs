//! The timer of `async-io`, which is smol's.

use std::time::Duration;

use super::{Sleep, Timer, platform};

/// The timer of the crate `async-io`, which is that of smol. On other executors a thread of `async-io`'s
/// own drives it.
///
/// ```
/// # use retry_runtime as stormless;
/// stormless::timer::install(stormless::timer::AsyncIo)?;
/// # Ok::<(), stormless::timer::AlreadyInstalled>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct AsyncIo;

impl Timer for AsyncIo {
    fn now(&self) -> Duration {
        platform::elapsed()
    }

    fn sleep_until(&self, at: Duration) -> Sleep {
        let timer = match platform::origin().checked_add(at) {
            Some(at) => async_io::Timer::at(at),
            None => async_io::Timer::never(),
        };
        Box::pin(async move {
            timer.await;
        })
    }
}
