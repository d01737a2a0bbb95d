//! The attempts that are being polled on a thread, one inside the other.

use std::{
    cell::{Cell, RefCell},
    marker::PhantomData,
    sync::atomic::{AtomicU64, Ordering},
};

use super::{Ambient, CARRIED, CallNumber};
use crate::Moment;

/// How many nested attempts a thread keeps in place; deeper ones spill to the heap.
const FRAMES: usize = 48;

/// The attempts that are being polled on this thread, the innermost last.
struct Frames {
    depth: Cell<usize>,
    places: [Place; FRAMES],
    next_call: Cell<CallNumber>,
}

/// The facts about one attempt, word by word, and no two words in the order that they have in an
/// [`Ambient`], or compilers would copy two at a time. They have just been stored one at a time, and a
/// processor does not answer a load from two stores that it has not finished: waiting for these takes as
/// long as all the rest of a call.
#[repr(C)]
struct Place {
    call_and_flags: Cell<u64>,
    attempt_and_most: Cell<u32>,
    site: Cell<u32>,
    deadline: Cell<Moment>,
    scope_test_budget: Cell<u64>,
}

impl Place {
    const fn new(ambient: Ambient) -> Self {
        Self {
            deadline: Cell::new(ambient.deadline),
            call_and_flags: Cell::new(ambient.call_and_flags),
            attempt_and_most: Cell::new(ambient.attempt_and_most),
            site: Cell::new(ambient.site),
            scope_test_budget: Cell::new(ambient.scope_test_budget),
        }
    }

    #[inline]
    fn set(&self, ambient: &Ambient) {
        self.deadline.set(ambient.deadline);
        self.call_and_flags.set(ambient.call_and_flags);
        self.attempt_and_most.set(ambient.attempt_and_most);
        self.site.set(ambient.site);
        self.scope_test_budget.set(ambient.scope_test_budget);
    }

    #[inline]
    fn get(&self) -> Ambient {
        Ambient {
            deadline: self.deadline.get(),
            call_and_flags: self.call_and_flags.get(),
            attempt_and_most: self.attempt_and_most.get(),
            site: self.site.get(),
            scope_test_budget: self.scope_test_budget.get(),
        }
    }
}

thread_local! {
    static FRAMES_HERE: Frames = const {
        Frames {
            depth: Cell::new(0),
            places: [const { Place::new(Ambient::ROOT) }; FRAMES],
            next_call: Cell::new(CallNumber::new(0)),
        }
    };
    /// Attempts deeper than the frames, the outermost first. What lies beyond the depth is left over, and
    /// goes when the next one is entered there. Apart from the frames, which need no destructor this way
    /// and work until the thread has ended.
    static SPILLED: RefCell<Vec<Ambient>> = const { RefCell::new(Vec::new()) };
}

impl Frames {
    #[inline]
    fn top(&self) -> Ambient {
        self.at(self.depth.get())
    }

    #[inline]
    fn at(&self, depth: usize) -> Ambient {
        match self.places.get(depth) {
            Some(place) => place.get(),
            None => spilled(depth - FRAMES),
        }
    }
}

/// The facts in force on this thread now.
#[inline]
pub(crate) fn ambient() -> Ambient {
    FRAMES_HERE.with(Frames::top)
}

/// A number for a new call, and whether nothing is around it on this thread.
#[inline]
pub(crate) fn next_call() -> (CallNumber, bool) {
    FRAMES_HERE.with(|here| {
        let next = here.next_call.get();
        let call = if next.get() % BLOCK == 0 { next_block() } else { next };
        here.next_call.set(call.next());
        (call, here.depth.get() == 0)
    })
}

/// Threads take numbers in blocks, so that a call costs no shared write. The first of each block stays
/// unused: it is how a thread sees that its block is used up, and 0 means "no call".
const BLOCK: u64 = 1 << 12;

/// Whether the first of two calls began before the second; `None` if their numbers do not tell.
pub(crate) fn began_before(first: u64, second: u64) -> Option<bool> {
    (first / BLOCK == second / BLOCK).then_some(first < second)
}

#[cold]
fn next_block() -> CallNumber {
    static BLOCKS: AtomicU64 = AtomicU64::new(0);
    CallNumber::new(BLOCKS.fetch_add(BLOCK, Ordering::Relaxed) + 1)
}

/// Puts `ambient` in force on this thread until the guard is dropped, by a panic too.
#[inline]
pub(crate) fn enter(ambient: &Ambient) -> Entered {
    FRAMES_HERE.with(|here| {
        let outside = here.depth.get();
        match here.places.get(outside + 1) {
            Some(place) => place.set(ambient),
            None => spill(outside + 1 - FRAMES, *ambient),
        }
        here.depth.set(outside + 1);
        Entered { outside, thread: PhantomData }
    })
}

/// On a thread that is ending there may be no room left; what is that deep then runs outside of
/// everything.
#[cold]
fn spill(at: usize, ambient: Ambient) {
    let _ended = SPILLED.try_with(|spilled| {
        let mut spilled = spilled.borrow_mut();
        spilled.truncate(at);
        spilled.push(ambient);
    });
}

#[cold]
fn spilled(at: usize) -> Ambient {
    let found = SPILLED.try_with(|spilled| spilled.borrow().get(at).copied());
    found.ok().flatten().unwrap_or(Ambient::ROOT)
}

/// What was entered on a thread is left on it, hence not `Send`.
pub(crate) struct Entered {
    /// The depth outside of it.
    outside: usize,
    thread: PhantomData<*const ()>,
}

impl Drop for Entered {
    #[inline]
    fn drop(&mut self) {
        FRAMES_HERE.with(|here| here.depth.set(self.outside));
    }
}

/// The running attempt and those around it, the innermost first, as far as they are known on this
/// thread.
pub(crate) fn enclosing() -> Vec<Ambient> {
    FRAMES_HERE.with(|here| (0..=here.depth.get()).rev().map(|depth| here.at(depth)).collect())
}

/// The number of the attempt in which a call is being polled here; `None` if it is not, such as where
/// a copy of its context was carried. Calls of other processes have the number 0, and run elsewhere.
pub(crate) fn running_attempt(call: u64) -> Option<u32> {
    if call == 0 {
        return None;
    }
    FRAMES_HERE.with(|here| {
        let mut frames = (0..=here.depth.get()).rev().map(|depth| here.at(depth));
        frames.find(|frame| frame.call() == call && !frame.has(CARRIED)).map(Ambient::attempt)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempt(number: u32) -> Ambient {
        Ambient::ROOT.at_attempt(number)
    }

    #[cfg_attr(miri, ignore = "thousands of numbers until there is something to see")]
    #[test]
    fn numbers_of_calls_are_distinct_across_threads_and_never_zero() {
        let numbers = || (0..3 * BLOCK).map(|_| next_call().0.get()).collect::<Vec<_>>();
        let mut all: Vec<u64> = std::thread::scope(|threads| {
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
    fn a_call_of_another_process_is_not_running_here() {
        assert_eq!(running_attempt(0), None);
        let _entered = enter(&attempt(2));
        assert_eq!(running_attempt(0), None);
    }

    #[test]
    fn a_panic_leaves_what_it_entered() {
        let unwound = std::panic::catch_unwind(|| {
            let _entered = enter(&attempt(7));
            panic!("on purpose");
        });
        assert!(unwound.is_err());
        assert_eq!(ambient(), Ambient::ROOT);
    }

    #[test]
    fn calls_in_the_destructors_of_an_ending_thread_do_not_panic() {
        struct Late;
        impl Drop for Late {
            fn drop(&mut self) {
                let _entered = enter(&attempt(1));
                assert_eq!(ambient().attempt(), 1);
                assert_eq!(enclosing().len(), 2);
                let _deep: Vec<_> = (0..FRAMES).map(|_| enter(&Ambient::ROOT)).collect();
                assert_eq!(enclosing().len(), FRAMES + 2);
            }
        }
        thread_local!(static LATE: Late = const { Late });
        // Whichever of the two is registered first, the other one finds it gone.
        for late_first in [true, false] {
            let thread = std::thread::spawn(move || {
                if late_first {
                    LATE.with(|_| ());
                }
                spill(0, Ambient::ROOT);
                LATE.with(|_| ());
            });
            assert!(thread.join().is_ok());
        }
    }

    #[test]
    fn attempts_nested_deeper_than_the_frames_are_all_remembered() {
        fn nest(depth: u32, deepest: u32) {
            let _entered = enter(&attempt(depth));
            assert_eq!(ambient().attempt(), depth);
            if depth == deepest {
                let seen: Vec<u32> = enclosing().iter().map(|frame| frame.attempt()).collect();
                assert_eq!(seen, (0..=deepest).rev().collect::<Vec<_>>());
            } else {
                nest(depth + 1, deepest);
            }
            assert_eq!(ambient().attempt(), depth);
        }
        for deepest in [1, 46, 47, 48, 49, 200] {
            nest(1, deepest);
            assert_eq!(ambient(), Ambient::ROOT);
        }
    }
}
