//! What is ambient: the facts about the attempt that is being polled, in one thread-local word group.

use std::{
    cell::{Cell, RefCell},
    future::Future,
    marker::PhantomData,
    pin::Pin,
    sync::atomic::{AtomicU32, Ordering},
    task::{Context as TaskContext, Poll},
};

use pin_project_lite::pin_project;

use crate::{Moment, side};

/// The facts about the running attempt that calls inside it see. Immutable while it runs, pushed
/// and popped around each poll; whatever changes about a call lives in the side table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ambient {
    /// No call below may run past this.
    pub(crate) deadline: Moment,
    /// The running call, or 0. Unique among live calls; wraps after four billion.
    pub(crate) call: u32,
    /// The attempt's number.
    pub(crate) attempt: u32,
    /// Stands for the running call's site in derived keys.
    pub(crate) site: u32,
    /// The nearest budget's id, or 0.
    pub(crate) budget: u32,
    /// The report scope in the upper 24 bits, the flags in the lower 8.
    pub(crate) scope_and_flags: u32,
    /// The isolated test that everything in here belongs to, or 0.
    pub(crate) isolation: u32,
}

const _: () = assert!(size_of::<Ambient>() <= 32, "each word more is paid for on every poll");

/// Annotated calls in here run once.
pub(crate) const SUPPRESS: u32 = 1;
/// An enclosing call that suppresses is `idempotent`.
pub(crate) const IDEMPOTENT: u32 = 1 << 1;
/// An enclosing call that suppresses is repeating: attempt 2 or later.
pub(crate) const REPEATING: u32 = 1 << 2;
/// The context was carried here; the call it names may have ended.
pub(crate) const CARRIED: u32 = 1 << 3;
/// Retries are switched off in this scope.
pub(crate) const OFF: u32 = 1 << 4;

const FLAG_BITS: u32 = 8;
const FLAGS: u32 = (1 << FLAG_BITS) - 1;

impl Ambient {
    /// Outside of everything.
    pub(crate) const ROOT: Self = Self {
        deadline: Moment::NEVER,
        call: 0,
        attempt: 0,
        site: 0,
        budget: 0,
        scope_and_flags: 0,
        isolation: 0,
    };

    #[inline]
    pub(crate) const fn has(self, flag: u32) -> bool {
        self.scope_and_flags & flag != 0
    }

    #[inline]
    pub(crate) const fn flags(self) -> u32 {
        self.scope_and_flags & FLAGS
    }

    /// The report scope, or 0.
    #[inline]
    pub(crate) const fn scope(self) -> u32 {
        self.scope_and_flags >> FLAG_BITS
    }

    #[inline]
    #[must_use]
    pub(crate) const fn with_flags(mut self, flags: u32) -> Self {
        self.scope_and_flags = self.scope_and_flags & !FLAGS | flags;
        self
    }

    #[must_use]
    pub(crate) const fn with_scope(mut self, scope: u32) -> Self {
        self.scope_and_flags = scope << FLAG_BITS | self.flags();
        self
    }
}

/// How many nested attempts a thread keeps in place; deeper ones spill to the heap.
const FRAMES: usize = 48;

/// The attempts that are being polled on this thread, the innermost last.
struct Frames {
    depth: Cell<usize>,
    places: [Cell<Ambient>; FRAMES],
    next_call: Cell<u32>,
}

thread_local! {
    static FRAMES_HERE: Frames = const {
        Frames {
            depth: Cell::new(0),
            places: [const { Cell::new(Ambient::ROOT) }; FRAMES],
            next_call: Cell::new(0),
        }
    };
    /// Apart from the frames, which need no destructor this way and work until the thread has ended.
    static SPILLED: RefCell<Vec<Ambient>> = const { RefCell::new(Vec::new()) };
}

impl Frames {
    #[inline]
    fn top(&self) -> Ambient {
        self.places[self.depth.get().min(FRAMES - 1)].get()
    }
}

/// The facts in force on this thread now.
#[inline]
pub(crate) fn ambient() -> Ambient {
    FRAMES_HERE.with(Frames::top)
}

/// The facts in force now, and a number for a new call.
#[inline]
pub(crate) fn ambient_and_call() -> (Ambient, u32) {
    FRAMES_HERE.with(|here| {
        let next = here.next_call.get();
        let call = if next % BLOCK == 0 { next_block() } else { next };
        here.next_call.set(call.wrapping_add(1));
        (here.top(), call)
    })
}

/// Threads take numbers in blocks, so that a call costs no shared write. The first of each block stays
/// unused: it is how a thread sees that its block is used up, and 0 means "no call".
const BLOCK: u32 = 1 << 12;

#[cold]
fn next_block() -> u32 {
    static BLOCKS: AtomicU32 = AtomicU32::new(0);
    BLOCKS.fetch_add(BLOCK, Ordering::Relaxed) + 1
}

/// Puts `ambient` in force on this thread until the guard is dropped, by a panic too.
#[inline]
pub(crate) fn enter(ambient: Ambient) -> Entered {
    FRAMES_HERE.with(|here| {
        let depth = here.depth.get();
        if depth + 1 < FRAMES {
            here.places[depth + 1].set(ambient);
        } else {
            spill(here, ambient);
        }
        here.depth.set(depth + 1);
    });
    Entered { thread: PhantomData }
}

#[cold]
fn spill(here: &Frames, ambient: Ambient) {
    SPILLED.with_borrow_mut(|spilled| spilled.push(here.places[FRAMES - 1].replace(ambient)));
}

#[cold]
fn unspill(here: &Frames) {
    if let Some(ambient) = SPILLED.with_borrow_mut(Vec::pop) {
        here.places[FRAMES - 1].set(ambient);
    }
}

/// What was entered on a thread is left on it, hence not `Send`.
pub(crate) struct Entered {
    thread: PhantomData<*const ()>,
}

impl Drop for Entered {
    #[inline]
    fn drop(&mut self) {
        FRAMES_HERE.with(|here| {
            let depth = here.depth.get();
            here.depth.set(depth - 1);
            if depth >= FRAMES {
                unspill(here);
            }
        });
    }
}

/// The running attempt and those around it, the innermost first, as far as they are known on this
/// thread.
pub(crate) fn enclosing() -> Vec<Ambient> {
    let mut frames: Vec<Ambient> = FRAMES_HERE.with(|here| {
        let depth = here.depth.get();
        let in_place = here.places.iter().map(Cell::get);
        if depth < FRAMES {
            in_place.take(depth + 1).collect()
        } else {
            // The last place holds the innermost; what it held before was spilled.
            let spilled = SPILLED.with_borrow(Clone::clone);
            let innermost = here.places[FRAMES - 1].get();
            in_place.take(FRAMES - 1).chain(spilled).chain([innermost]).collect()
        }
    });
    frames.reverse();
    frames
}

pin_project! {
    /// A future whose polls see the given facts.
    #[derive(Debug)]
    #[must_use = "futures do nothing unless polled"]
    pub struct Scoped<F> {
        #[pin]
        future: F,
        ambient: Ambient,
    }
}

impl<F> Scoped<F> {
    pub(crate) const fn new(ambient: Ambient, future: F) -> Self {
        Self { future, ambient }
    }
}

impl<F: Future> Future for Scoped<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, task: &mut TaskContext<'_>) -> Poll<F::Output> {
        let this = self.project();
        let _entered = enter(*this.ambient);
        this.future.poll(task)
    }
}

/// The context of the running attempt, to be carried to where it does not follow by itself.
///
/// Everything polled within an attempt sees its context: awaits, `join!`, `select!`,
/// `FuturesUnordered`. A spawned task does not. Carry the context there, and calls in the task inherit
/// the deadline, run once where the attempt suppresses, and appear in the same report:
///
/// ```
/// use retry_runtime::Context;
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let context = Context::capture();
/// tokio::spawn(context.scope(async { /* calls in here know where they belong */ })).await.unwrap();
/// # }
/// ```
///
/// A destructor that runs because an attempt was cancelled runs outside of its context.
#[derive(Clone, Copy, Debug)]
pub struct Context(Ambient);

impl Context {
    /// The context of the attempt that is being polled; [`Context::root`] outside of one.
    #[must_use]
    pub fn capture() -> Self {
        let ambient = ambient();
        if ambient.call != 0 {
            // Made now, while the enclosing calls are known.
            let _key = side::current_key();
        }
        Self(ambient.with_flags(ambient.flags() | CARRIED))
    }

    /// No attempt, no deadline, no suppression: for work that outlives the call it was started from.
    #[must_use]
    pub fn root() -> Self {
        // An isolated test stays isolated: this steps out of calls, not out of tests.
        Self(Ambient { isolation: ambient().isolation, ..Ambient::ROOT })
    }

    /// The future, polled in this context.
    pub const fn scope<F: Future>(self, future: F) -> Scoped<F> {
        Scoped::new(self.0, future)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_calls_are_distinct_across_threads_and_never_zero() {
        let numbers = || (0..3 * BLOCK).map(|_| ambient_and_call().1).collect::<Vec<_>>();
        let mut all: Vec<u32> = std::thread::scope(|threads| {
            let handles: Vec<_> = (0..4).map(|_| threads.spawn(numbers)).collect();
            handles.into_iter().flat_map(|handle| handle.join().unwrap()).collect()
        });
        let drawn = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), drawn);
        assert_ne!(all[0], 0);
    }

    #[test]
    fn a_panic_leaves_what_it_entered() {
        let inside = Ambient { attempt: 7, ..Ambient::ROOT };
        let unwound = std::panic::catch_unwind(|| {
            let _entered = enter(inside);
            panic!("on purpose");
        });
        assert!(unwound.is_err());
        assert_eq!(ambient(), Ambient::ROOT);
    }

    #[test]
    fn attempts_nested_deeper_than_the_frames_are_all_remembered() {
        fn nest(depth: u32, deepest: u32) {
            let _entered = enter(Ambient { attempt: depth, ..Ambient::ROOT });
            assert_eq!(ambient().attempt, depth);
            if depth == deepest {
                let seen: Vec<u32> = enclosing().iter().map(|frame| frame.attempt).collect();
                assert_eq!(seen, (0..=deepest).rev().collect::<Vec<_>>());
            } else {
                nest(depth + 1, deepest);
            }
            assert_eq!(ambient().attempt, depth);
        }
        for deepest in [1, 46, 47, 48, 49, 200] {
            nest(1, deepest);
            assert_eq!(ambient(), Ambient::ROOT);
        }
    }
}
