//! A counter that many threads add to at once.

use std::{
    cell::Cell,
    sync::{
        OnceLock,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    thread,
};

/// One number in parts, each on a cache line of its own, so that threads that count at the same time do
/// not wait for one another. Nothing is made before something is counted.
#[derive(Debug)]
pub(super) struct Sharded(OnceLock<Box<[Shard]>>);

/// As far apart as processors that fetch lines in pairs want it.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Shard(AtomicU64);

/// More do not pay: so many threads seldom count at the very same time.
const MOST: usize = 64;

impl Sharded {
    pub(super) const fn new() -> Self {
        Self(OnceLock::new())
    }

    pub(super) fn add(&self, many: u64) {
        let shards = self.0.get_or_init(|| (0..shards()).map(|_| Shard::default()).collect());
        let own = place() % shards.len().max(1);
        if let Some(shard) = shards.get(own) {
            shard.0.fetch_add(many, Ordering::Relaxed);
        }
    }

    pub(super) fn get(&self) -> u64 {
        let shards = self.0.get().into_iter().flatten();
        shards.map(|shard| shard.0.load(Ordering::Relaxed)).sum()
    }
}

/// As many as threads can run at once. Asked once: the answer may need files to be read.
fn shards() -> usize {
    static SHARDS: OnceLock<usize> = OnceLock::new();
    *SHARDS.get_or_init(|| {
        let threads = thread::available_parallelism().map_or(1, std::num::NonZero::get);
        threads.next_power_of_two().min(MOST)
    })
}

/// A thread counts in the same place for as long as it lives, and the next thread in the next one.
fn place() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    thread_local! {
        static PLACE: Cell<usize> = const { Cell::new(usize::MAX) };
    }
    // A thread that is ending has no place of its own any more.
    let known = PLACE.try_with(Cell::get).unwrap_or(0);
    if known != usize::MAX {
        return known;
    }
    let place = NEXT.fetch_add(1, Ordering::Relaxed) & (usize::MAX >> 1);
    PLACE.set(place);
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_that_count_at_once_lose_nothing() {
        const EACH: u64 = if cfg!(miri) { 50 } else { 50_000 };
        let counter = Sharded::new();
        assert_eq!(counter.get(), 0);
        thread::scope(|threads| {
            for _ in 0..8 {
                threads.spawn(|| (0..EACH).for_each(|_| counter.add(1)));
            }
        });
        assert_eq!(counter.get(), 8 * EACH);
    }

    #[test]
    fn threads_in_a_row_count_in_different_places() {
        let places: Vec<usize> =
            (0..3).map(|_| thread::spawn(place).join().expect("it counts")).collect();
        assert!(places[0] != places[1] && places[1] != places[2], "{places:?}");
        assert_eq!(place(), place(), "a thread keeps its place");
    }

    #[test]
    fn two_parts_never_share_a_cache_line() {
        assert_eq!((size_of::<Shard>(), align_of::<Shard>()), (128, 128));
    }
}
