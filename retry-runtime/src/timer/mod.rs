//! What calls wait with: tokio's timer, another runtime's, or one of your own.
//!
//! With the default feature `tokio-1` nothing has to be done: clock and timer are tokio's, and its paused
//! time works throughout. A program on another runtime puts one line at the start of `main`, before its
//! first call:
//!
//! ```standalone_crate
//! # use retry_runtime as stormless;
//! # #[cfg(feature = "futures-timer-3")]
//! stormless::timer::install(stormless::timer::FuturesTimer).expect("nothing was installed before");
//! ```
//!
//! Without that line, the first of these whose feature is on is the process's timer, from the first call
//! that needs one:
//!
//! 1. `gloo-timers-0-4`, where there is JavaScript and nothing else (`wasm32-unknown-unknown`),
//! 2. `tokio-1`,
//! 3. `async-io-2`,
//! 4. `futures-timer-3`.
//!
//! Features add up over everything that is linked: a library that leaves stormless's default features on
//! makes tokio the timer of a program that has switched them off. `install` settles it.
//!
//! # Without a timer
//!
//! With none of the features and nothing installed, no call can wait. A failure that would be followed by
//! a wait ends its call, with the body's own error and the reason
//! [`Disabled`](crate::StopReason::Disabled); [`verify`](crate::verify()) fails, and
//! [`Warning::NoTimer`](crate::Warning::NoTimer) names the function. Timeouts and deadlines end an attempt
//! when its task is polled for another reason, and not before. Functions marked `blocking` need no timer,
//! but for `wasm32-unknown-unknown`, where nothing may keep the thread.

#[cfg(all(feature = "async-io-2", not(all(target_family = "wasm", target_os = "unknown"))))]
mod async_io;
mod force;
#[cfg(all(feature = "futures-timer-3", not(all(target_family = "wasm", target_os = "unknown"))))]
mod futures_timer;
#[cfg(all(feature = "gloo-timers-0-4", target_family = "wasm", target_os = "unknown"))]
mod gloo;
pub(crate) mod platform;
mod slot;
#[cfg(feature = "tokio-1")]
mod tokio;

use std::{future::Future, pin::Pin, time::Duration};

#[cfg(all(feature = "async-io-2", not(all(target_family = "wasm", target_os = "unknown"))))]
pub use async_io::AsyncIo;
pub(crate) use force::{block_until, can_wait, is_missing, moment, now};
#[cfg(all(
    feature = "futures-timer-3",
    not(all(target_family = "wasm", target_os = "unknown"))
))]
pub use futures_timer::FuturesTimer;
#[cfg(all(feature = "gloo-timers-0-4", target_family = "wasm", target_os = "unknown"))]
pub use gloo::GlooTimers;
pub(crate) use slot::Slot;

/// A wait, as a [`Timer`] makes it.
pub type Sleep = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A monotonic clock, and waits that go by it.
///
/// Points in time are durations since a point of the timer's own choice, such as its making. A call that
/// succeeds at once asks for nothing; one that fails asks once for the time and makes one [`Sleep`] for
/// each wait.
///
/// ```
/// # use retry_runtime as stormless;
/// use std::time::{Duration, Instant};
/// use stormless::timer::{Sleep, Timer};
/// # mod runtime { pub async fn sleep(_: std::time::Duration) {} }
///
/// struct Runtime {
///     start: Instant,
/// }
///
/// impl Timer for Runtime {
///     fn now(&self) -> Duration {
///         self.start.elapsed()
///     }
///     fn sleep_until(&self, at: Duration) -> Sleep {
///         let left = at.saturating_sub(self.now());
///         Box::pin(async move { runtime::sleep(left).await })
///     }
/// }
/// # let timer = Runtime { start: Instant::now() };
/// # drop(timer.sleep_until(timer.now()));
/// ```
///
/// In a test the clock may be a number that the test moves; then `sleep_until` is ready once that number
/// is large enough, and `block_until` moves it.
pub trait Timer: Send + Sync + 'static {
    /// The time now. It never goes back.
    fn now(&self) -> Duration;

    /// Ready as soon as [`now`](Self::now) has reached `at`, and not before: whoever returns too soon
    /// retries too soon. `at` may have passed, and may be centuries away. What is dropped wakes nobody.
    fn sleep_until(&self, at: Duration) -> Sleep;

    /// Keeps the thread until [`now`](Self::now) has reached `at`; for functions marked `blocking`. By default with the
    /// standard library's sleep.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use std::{sync::Mutex, time::Duration};
    /// use stormless::timer::{Sleep, Timer};
    ///
    /// /// The time of a test, in which no thread waits.
    /// struct Manual(Mutex<Duration>);
    ///
    /// impl Timer for Manual {
    ///     fn now(&self) -> Duration {
    ///         *self.0.lock().unwrap()
    ///     }
    ///     fn sleep_until(&self, at: Duration) -> Sleep {
    ///         self.block_until(at);
    ///         Box::pin(std::future::ready(()))
    ///     }
    ///     fn block_until(&self, at: Duration) {
    ///         let mut now = self.0.lock().unwrap();
    ///         *now = at.max(*now);
    ///     }
    /// }
    ///
    /// let timer = Manual(Mutex::new(Duration::ZERO));
    /// timer.block_until(Duration::from_secs(60));
    /// assert_eq!((timer.now(), timer.can_block()), (Duration::from_secs(60), true));
    /// ```
    fn block_until(&self, at: Duration) {
        std::thread::sleep(at.saturating_sub(self.now()));
    }

    /// Whether [`block_until`](Self::block_until) can be called. Where it cannot, a function marked
    /// `blocking` stops at a failure after which it would have to wait.
    ///
    /// By default it can be called everywhere but on `wasm32-unknown-unknown`, where the standard
    /// library's sleep panics.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use std::time::{Duration, Instant};
    /// use stormless::timer::{Sleep, Timer};
    ///
    /// /// On a thread that must never wait.
    /// struct Event(Instant);
    ///
    /// impl Timer for Event {
    ///     fn now(&self) -> Duration {
    ///         self.0.elapsed()
    ///     }
    ///     fn sleep_until(&self, _at: Duration) -> Sleep {
    ///         Box::pin(std::future::pending()) // the event loop's
    ///     }
    ///     fn can_block(&self) -> bool {
    ///         false
    ///     }
    /// }
    ///
    /// assert!(!Event(Instant::now()).can_block());
    /// ```
    fn can_block(&self) -> bool {
        platform::CAN_BLOCK
    }
}

/// Makes this the timer of the process, for good.
///
/// To be called at the start of `main`, before the first call of an annotated function. All that knows of
/// time (windows of budgets, open breakers, deadlines, calls that are asleep) goes by one clock, so that
/// clock never changes: the first use of a default timer settles it as `install` does. Annotated functions
/// may be called before, as long as they succeed at once and nothing about them needs the time.
///
/// # Errors
///
/// [`AlreadyInstalled`] if a timer was installed before, or a default one is in use. That one stays.
///
/// ```
/// # use retry_runtime as stormless;
/// use std::time::{Duration, Instant};
/// use stormless::timer::{Sleep, Timer, install};
///
/// /// For a program of one thread that does nothing else: it is kept where others would wait.
/// struct Keeping(Instant);
///
/// impl Timer for Keeping {
///     fn now(&self) -> Duration {
///         self.0.elapsed()
///     }
///
///     fn sleep_until(&self, at: Duration) -> Sleep {
///         let wait = at.saturating_sub(self.now());
///         Box::pin(async move { std::thread::sleep(wait) })
///     }
/// }
///
/// install(Keeping(Instant::now())).expect("this is the start of `main`");
/// assert!(install(Keeping(Instant::now())).is_err());
/// ```
pub fn install(timer: impl Timer) -> Result<(), AlreadyInstalled> {
    force::install(Box::new(timer)).map_err(|_| AlreadyInstalled)
}

/// The process has its timer already.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the process has its timer already: call `install` once, before anything has asked for the time"
)]
#[non_exhaustive]
pub struct AlreadyInstalled;
