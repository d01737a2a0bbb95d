//! Counts what each thread allocates, and what it has in use.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
};

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
    static IN_USE: Cell<i64> = const { Cell::new(0) };
}

fn add(layout: Layout, sign: i64) {
    let bytes = i64::try_from(layout.size()).expect("no allocation is that large");
    IN_USE.set(IN_USE.get() + sign * bytes);
}

// The one place that has to say `unsafe`: the trait demands it. The crates themselves forbid it.
#[expect(unsafe_code, reason = "a global allocator cannot be written without")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        add(layout, 1);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        add(layout, -1);
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How often this thread has allocated.
#[allow(dead_code, reason = "not each test looks at both")]
pub(crate) fn allocations() -> u64 {
    ALLOCATIONS.get()
}

/// The bytes that this thread has allocated and not freed; what another thread frees stays in it.
#[allow(dead_code, reason = "not each test looks at both")]
pub(crate) fn in_use() -> i64 {
    IN_USE.get()
}
