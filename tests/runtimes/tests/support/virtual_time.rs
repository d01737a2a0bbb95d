//! A timer whose clock is a number that the test moves, without any runtime. Each thread has its own, so
//! that the tests of one process do not meet.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    future::Future,
    pin::{Pin, pin},
    sync::{
        Arc, LazyLock,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, Wake, Waker},
    time::Duration,
};

use stormless::timer::{Sleep, Timer, install};

thread_local! {
    static NOW: Cell<Duration> = const { Cell::new(Duration::ZERO) };
    static SLEEPERS: RefCell<BTreeMap<u64, (Duration, Waker)>> = const { RefCell::new(BTreeMap::new()) };
    static NUMBERS: Cell<u64> = const { Cell::new(0) };
}

struct Virtual;

impl Timer for Virtual {
    fn now(&self) -> Duration {
        NOW.get()
    }

    fn sleep_until(&self, at: Duration) -> Sleep {
        NUMBERS.set(NUMBERS.get() + 1);
        Box::pin(Sleeper { number: NUMBERS.get(), at })
    }

    fn block_until(&self, at: Duration) {
        NOW.set(NOW.get().max(at));
    }
}

struct Sleeper {
    number: u64,
    at: Duration,
}

impl Future for Sleeper {
    type Output = ();

    fn poll(self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<()> {
        if NOW.get() >= self.at {
            return Poll::Ready(());
        }
        let entry = (self.at, task.waker().clone());
        SLEEPERS.with_borrow_mut(|all| all.insert(self.number, entry));
        Poll::Pending
    }
}

impl Drop for Sleeper {
    fn drop(&mut self) {
        SLEEPERS.with_borrow_mut(|all| all.remove(&self.number));
    }
}

/// How many waits there are.
pub(crate) fn sleepers() -> usize {
    SLEEPERS.with_borrow(BTreeMap::len)
}

/// The time since the test began.
pub(crate) fn now() -> Duration {
    NOW.get()
}

/// So much time goes by.
pub(crate) fn advance(time: Duration) {
    NOW.set(NOW.get() + time);
}

/// Makes it the timer of this test.
pub(crate) fn start() {
    static INSTALLED: LazyLock<()> =
        LazyLock::new(|| install(Virtual).expect("nothing has asked for the time"));
    LazyLock::force(&INSTALLED);
}

struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Runs a future; whenever it waits, the time moves to the end of the shortest wait.
pub(crate) fn run<F: Future>(future: F) -> F::Output {
    start();
    let mut future = pin!(future);
    let woken = Arc::new(Woken(AtomicBool::new(false)));
    let waker = Waker::from(Arc::clone(&woken));
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return output;
        }
        if woken.0.swap(false, Ordering::Relaxed) {
            continue;
        }
        let first = SLEEPERS.with_borrow(|all| all.values().map(|(at, _)| *at).min());
        NOW.set(first.expect("it waits for nothing, and would hang").max(NOW.get()));
    }
}

/// Polls once.
pub(crate) fn poll<F: Future>(future: Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}
