//! Counts what each thread takes from the heap.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
    ops::Sub,
};

struct Counting;

thread_local! {
    static COUNTS: Cell<Heap> = const { Cell::new(Heap { allocations: 0, bytes: 0 }) };
}

/// What a thread has taken from the heap so far, whatever it gave back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Heap {
    /// How often.
    pub allocations: u64,
    /// How much.
    pub bytes: u64,
}

impl Sub for Heap {
    type Output = Self;

    fn sub(self, earlier: Self) -> Self {
        Self {
            allocations: self.allocations.saturating_sub(earlier.allocations),
            bytes: self.bytes.saturating_sub(earlier.bytes),
        }
    }
}

fn count(bytes: usize) {
    // A thread that is ending allocates too, and is not of interest.
    let _ = COUNTS.try_with(|counts| {
        let Heap { allocations, bytes: before } = counts.get();
        counts.set(Heap { allocations: allocations + 1, bytes: before + bytes as u64 });
    });
}

// The one place that has to say `unsafe`: the trait demands it.
#[expect(unsafe_code, reason = "a global allocator cannot be written without")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size);
        unsafe { System.realloc(at, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What this thread has taken so far.
pub fn taken() -> Heap {
    COUNTS.get()
}

/// What this many calls of a loop take together, as the difference of two lengths: what is made before the
/// loop cancels out. The first loop is for what is made once in a process.
pub fn together(calls: u64, run: impl Fn(u64)) -> Heap {
    let heap_of = |calls| {
        let before = taken();
        run(calls);
        taken() - before
    };
    heap_of(calls);
    let once = heap_of(calls);
    heap_of(calls.saturating_mul(2)) - once
}

/// What each call of a loop takes, rounded.
pub fn each_call(run: impl Fn(u64)) -> Heap {
    const CALLS: u64 = 1_000;
    let Heap { allocations, bytes } = together(CALLS, run);
    let each = |sum: u64| sum.saturating_add(CALLS / 2) / CALLS;
    Heap { allocations: each(allocations), bytes: each(bytes) }
}
