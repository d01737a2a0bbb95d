//! The last durations, one by one.

use std::time::Duration;

use super::sync::{AtomicU32, AtomicU64, Ordering};

/// How many are kept.
const KEPT: usize = 32;

/// The last 32 durations.
///
/// A ring whose places are handed out by one counter. Each place is a word, so that whoever reads while
/// another writes sees the old duration or the new one and nothing between; a writer that is overtaken
/// by 32 others leaves a duration that is a little older than its neighbours.
#[derive(Debug)]
pub(super) struct Recent {
    /// In nanoseconds and one more; 0 while nothing was put there.
    places: [AtomicU64; KEPT],
    next: AtomicU32,
}

impl Recent {
    pub(super) const fn new() -> Self {
        Self { places: [const { AtomicU64::new(0) }; KEPT], next: AtomicU32::new(0) }
    }

    pub(super) fn push(&self, nanos: u64) {
        let place = self.next.fetch_add(1, Ordering::Relaxed) as usize % KEPT;
        self.places[place].store(nanos.saturating_add(1), Ordering::Relaxed);
    }

    /// The last one.
    pub(super) fn last(&self) -> Option<Duration> {
        let next = self.next.load(Ordering::Relaxed) as usize;
        self.read(next.wrapping_sub(1) % KEPT).map(Duration::from_nanos)
    }

    /// The variance in square milliseconds: the mean square distance from the mean. `None` for fewer
    /// than two durations.
    pub(super) fn variance(&self) -> Option<f64> {
        let mut all = [0.0; KEPT];
        let mut known = 0;
        for nanos in (0..KEPT).filter_map(|place| self.read(place)) {
            all[known] = Duration::from_nanos(nanos).as_secs_f64() * 1e3;
            known += 1;
        }
        let all = &all[..known];
        if known < 2 {
            return None;
        }
        // The mean first: the squares of long durations would leave no digits for their differences.
        let count = f64::from(u8::try_from(known).unwrap_or(u8::MAX));
        let mean = all.iter().sum::<f64>() / count;
        Some(all.iter().map(|each| (each - mean).powi(2)).sum::<f64>() / count)
    }

    fn read(&self, place: usize) -> Option<u64> {
        self.places[place].load(Ordering::Relaxed).checked_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MILLISECOND: u64 = 1_000_000;

    #[test]
    fn one_duration_does_not_vary() {
        let recent = Recent::new();
        assert_eq!((recent.variance(), recent.last()), (None, None));
        recent.push(7 * MILLISECOND);
        assert_eq!((recent.variance(), recent.last()), (None, Some(Duration::from_millis(7))));
        recent.push(7 * MILLISECOND);
        assert_eq!(recent.variance(), Some(0.0));
    }

    #[test]
    fn the_variance_is_that_of_the_last_32_in_square_milliseconds() {
        let recent = Recent::new();
        // What is pushed out leaves no trace.
        (0..100).for_each(|_| recent.push(u64::MAX));
        (0..KEPT)
            .for_each(|place| recent.push(if place % 2 == 0 { 90 } else { 110 } * MILLISECOND));
        assert_eq!(recent.last(), Some(Duration::from_millis(110)));
        let variance = recent.variance().unwrap();
        assert!((variance - 100.0).abs() < 1e-9, "{variance}");
    }

    #[test]
    fn long_durations_keep_their_differences() {
        let recent = Recent::new();
        let day = 24 * 3600 * 1000;
        (0..KEPT as u64).for_each(|place| recent.push((day + place % 2 * 20) * MILLISECOND));
        let variance = recent.variance().unwrap();
        assert!((variance - 100.0).abs() < 1e-3, "{variance}");
    }

    #[test]
    fn the_counter_may_wrap() {
        let recent = Recent::new();
        recent.next.store(u32::MAX, Ordering::Relaxed);
        recent.push(MILLISECOND);
        assert_eq!(recent.last(), Some(Duration::from_millis(1)));
        recent.push(2 * MILLISECOND);
        assert_eq!(recent.last(), Some(Duration::from_millis(2)));
    }
}
