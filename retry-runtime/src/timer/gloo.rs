//! JavaScript's `setTimeout`, through `gloo-timers`.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    future::Future,
    pin::Pin,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    task::{Context, Poll, Waker},
    time::Duration,
};

use gloo_timers::callback::Timeout;

use super::{Sleep, Timer, platform};

/// The timer of a browser's page or worker, of Node and of what else has `setTimeout` and
/// `performance.now()`. Waits may be moved between threads, and end on the thread that polled them first.
///
/// Where `performance` is missing, as in a worklet, asking for the time panics.
#[derive(Clone, Copy, Debug, Default)]
pub struct GlooTimers;

impl Timer for GlooTimers {
    fn now(&self) -> Duration {
        platform::elapsed()
    }

    fn sleep_until(&self, at: Duration) -> Sleep {
        Box::pin(Wait { at, timeout: None })
    }
}

struct Wait {
    at: Duration,
    timeout: Option<Handle>,
}

impl Future for Wait {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<()> {
        let left = self.at.saturating_sub(platform::elapsed());
        if left.is_zero() {
            self.timeout = None;
            return Poll::Ready(());
        }
        match &self.timeout {
            Some(timeout) if timeout.wakes(task.waker()) => {}
            // The first, or one that came too soon: rounded down by the browser, or as late as one can be.
            Some(_) | None => self.timeout = Some(Handle::new(left, task.waker())),
        }
        Poll::Pending
    }
}

thread_local! {
    /// What JavaScript will call, which must stay on its thread: a [`Handle`] has only its number.
    static TIMEOUTS: RefCell<BTreeMap<u64, Timeout>> = const { RefCell::new(BTreeMap::new()) };
}

fn take(number: u64) -> Option<Timeout> {
    TIMEOUTS.try_with(|timeouts| timeouts.borrow_mut().remove(&number)).ok().flatten()
}

/// A timeout that may be moved between threads.
struct Handle {
    number: u64,
    /// Whom to wake; nobody any more once it has fired.
    waker: Arc<Mutex<Option<Waker>>>,
}

fn lock(waker: &Mutex<Option<Waker>>) -> MutexGuard<'_, Option<Waker>> {
    waker.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Handle {
    fn new(left: Duration, waker: &Waker) -> Self {
        /// A longer timeout fires at once.
        const LONGEST: u32 = i32::MAX as u32;
        static NEXT: AtomicU64 = AtomicU64::new(0);

        let millis = left.as_nanos().div_ceil(1_000_000);
        let millis = u32::try_from(millis).unwrap_or(LONGEST).min(LONGEST);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let waker = Arc::new(Mutex::new(Some(waker.clone())));
        let timeout = Timeout::new(millis, {
            let waker = Arc::clone(&waker);
            move || {
                // Here too, for one whose wait was dropped on another thread, out of reach of this table.
                drop(take(number));
                let woken = lock(&waker).take();
                if let Some(woken) = woken {
                    woken.wake();
                }
            }
        });
        TIMEOUTS.with(|timeouts| timeouts.borrow_mut().insert(number, timeout));
        Self { number, waker }
    }

    /// Wakes this one, unless it has fired.
    fn wakes(&self, new: &Waker) -> bool {
        match &mut *lock(&self.waker) {
            Some(waker) => {
                waker.clone_from(new);
                true
            }
            None => false,
        }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        // Both, as the timeout may be another thread's: it would fire all the same, but wakes nobody.
        lock(&self.waker).take();
        drop(take(self.number));
    }
}
