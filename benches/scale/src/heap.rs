//! Counts what is on the heap.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

/// The system's allocator, with a count of what is in use.
#[derive(Debug)]
pub struct Counting;

static BYTES: AtomicU64 = AtomicU64::new(0);
static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

/// The bytes in use, as they were asked for.
pub fn bytes() -> u64 {
    BYTES.load(Relaxed)
}

/// How often memory was asked for since the start.
pub fn allocations() -> u64 {
    ALLOCATIONS.load(Relaxed)
}

fn took(layout: Layout) {
    BYTES.fetch_add(layout.size() as u64, Relaxed);
    ALLOCATIONS.fetch_add(1, Relaxed);
}

// The trait demands `unsafe`. Growing goes through `alloc`, so that it is counted once.
#[expect(unsafe_code, reason = "a global allocator cannot be written without")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        took(layout);
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        took(layout);
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        BYTES.fetch_sub(layout.size() as u64, Relaxed);
        unsafe { System.dealloc(at, layout) }
    }
}
