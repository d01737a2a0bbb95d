//! The clock of a simulation, which production's code reads as it does the runtime's.
//!
//! The process has one timer for good, so this one keeps a time for each thread: simulations run side by side.

use std::{
    cell::{Cell, RefCell},
    future::Future,
    pin::Pin,
    sync::OnceLock,
    task::{Context, Poll},
    time::Duration,
};

use retry_runtime::timer::{self, AlreadyInstalled, Sleep, Timer};

thread_local! {
    static NOW: Cell<u64> = const { Cell::new(0) };
    static SLEEPERS: RefCell<Sleepers> = const { RefCell::new(Sleepers::new()) };
}

/// Makes simulated time the time of this process, as the first simulation does.
///
/// # Errors
///
/// Where another timer is in use already.
pub fn install() -> Result<(), AlreadyInstalled> {
    static INSTALLED: OnceLock<Result<(), AlreadyInstalled>> = OnceLock::new();
    *INSTALLED.get_or_init(|| timer::install(Simulated))
}

/// In nanoseconds from the simulation's start.
pub(super) fn now() -> u64 {
    NOW.get()
}

/// Moves the time; never back, but to the start of another simulation.
pub(super) fn set_now(nanos: u64) {
    NOW.set(nanos);
}

/// Forgets who sleeps.
pub(super) fn reset() {
    NOW.set(0);
    SLEEPERS.with_borrow_mut(|sleepers| *sleepers = Sleepers::new());
}

/// Calls `wake` for each sleep that was begun since the last time: when it ends, and by what to know it.
pub(super) fn begun(mut wake: impl FnMut(u64, Sleeper)) {
    SLEEPERS.with_borrow_mut(|sleepers| {
        for (at, sleeper) in sleepers.begun.drain(..) {
            wake(at, sleeper);
        }
    });
}

/// Whether somebody still sleeps there. If not, the place is free for another from here on.
pub(super) fn end(sleeper: Sleeper) -> bool {
    SLEEPERS.with_borrow_mut(|sleepers| sleepers.end(sleeper))
}

/// How many places there are for those who sleep, and how many of them are taken.
#[cfg(test)]
pub(super) fn sleepers() -> (usize, usize) {
    SLEEPERS
        .with_borrow(|sleepers| (sleepers.turns.len(), sleepers.turns.len() - sleepers.free.len()))
}

/// Whether somebody still sleeps there. If not, the place is free for another from here on.
pub(super) fn is_asleep(sleeper: Sleeper) -> bool {
    SLEEPERS.with_borrow_mut(|sleepers| {
        let there = sleepers.turns.get(sleeper.place as usize) == Some(&sleeper.turn);
        if !there {
            sleepers.free.push(sleeper.place);
        }
        there
    })
}

/// One sleep, among those of this thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sleeper {
    place: u32,
    /// Which of those that had the place.
    turn: u32,
}

/// Who sleeps. A place is given back when the moment comes, whether its sleeper is still there or not.
struct Sleepers {
    turns: Vec<u32>,
    free: Vec<u32>,
    begun: Vec<(u64, Sleeper)>,
}

impl Sleepers {
    const fn new() -> Self {
        Self { turns: Vec::new(), free: Vec::new(), begun: Vec::new() }
    }

    fn begin(&mut self, at: u64) -> Sleeper {
        let place = self.free.pop().unwrap_or_else(|| {
            self.turns.push(0);
            u32::try_from(self.turns.len() - 1).unwrap_or(u32::MAX)
        });
        let sleeper = Sleeper { place, turn: self.turns[place as usize] };
        self.begun.push((at, sleeper));
        sleeper
    }

    /// Nobody sleeps there any more.
    fn leave(&mut self, sleeper: Sleeper) {
        if let Some(turn) = self.turns.get_mut(sleeper.place as usize)
            && *turn == sleeper.turn
        {
            *turn = turn.wrapping_add(1);
        }
    }

    fn end(&mut self, sleeper: Sleeper) -> bool {
        let Some(turn) = self.turns.get_mut(sleeper.place as usize) else { return false };
        let there = *turn == sleeper.turn;
        if there {
            *turn = turn.wrapping_add(1);
        }
        self.free.push(sleeper.place);
        there
    }
}

struct Simulated;

impl Timer for Simulated {
    fn now(&self) -> Duration {
        Duration::from_nanos(NOW.get())
    }

    fn sleep_until(&self, at: Duration) -> Sleep {
        let at = u64::try_from(at.as_nanos()).unwrap_or(u64::MAX);
        Box::pin(Sleeping { at, sleeper: None })
    }

    /// Nobody in a simulation keeps its thread.
    fn can_block(&self) -> bool {
        false
    }

    fn block_until(&self, _: Duration) {}
}

/// Waits for simulated time to pass.
struct Sleeping {
    at: u64,
    sleeper: Option<Sleeper>,
}

impl Future for Sleeping {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if NOW.get() >= self.at {
            return Poll::Ready(());
        }
        if self.sleeper.is_none() {
            let at = self.at;
            self.sleeper = Some(SLEEPERS.with_borrow_mut(|sleepers| sleepers.begin(at)));
        }
        Poll::Pending
    }
}

impl Drop for Sleeping {
    fn drop(&mut self) {
        let Some(sleeper) = self.sleeper else { return };
        // At the end of a thread there is nobody to tell.
        let _gone = SLEEPERS.try_with(|sleepers| {
            if let Ok(mut sleepers) = sleepers.try_borrow_mut() {
                sleepers.leave(sleeper);
            }
        });
    }
}

/// Waits until this moment, in nanoseconds from the simulation's start.
pub(super) fn sleep_until(at: u64) -> impl Future<Output = ()> {
    Sleeping { at, sleeper: None }
}
