//! Which bucket a duration falls into, and which duration stands for a bucket.
//!
//! Log-linear, as in `HdrHistogram`: each doubling of the duration is cut into [`PER_OCTAVE`] buckets of
//! one width, so that the bucket is found with shifts and its width is a fixed share of what it holds.

use std::time::Duration;

/// Buckets for each doubling. The first of them is the widest for what it holds: from `8` to `9`, in
/// eighths of its lower end. What stands for it is off by a seventeenth at either end.
const PER_OCTAVE: u64 = 1 << OCTAVE_BITS;
const OCTAVE_BITS: u32 = 3;
/// Everything shorter than this power of two, in nanoseconds, is one bucket: 8.2 µs.
const FIRST: u32 = 13;
/// Everything from this power of two on is one bucket: 275 s.
const LAST: u32 = 38;

/// How many buckets there are.
pub(super) const COUNT: usize = 2 + ((LAST - FIRST) << OCTAVE_BITS) as usize;

/// The bucket of a duration in nanoseconds.
pub(super) const fn bucket(nanos: u64) -> usize {
    if nanos < 1 << FIRST {
        return 0;
    }
    if nanos >= 1 << LAST {
        return COUNT - 1;
    }
    let octave = nanos.ilog2();
    let within = (nanos >> (octave - OCTAVE_BITS)) & (PER_OCTAVE - 1);
    1 + ((octave - FIRST) << OCTAVE_BITS) as usize + within as usize
}

/// The duration that stands for a bucket: the harmonic mean of its ends, which is off by the same share
/// at both.
pub(super) fn duration(bucket: usize) -> Duration {
    if bucket == 0 {
        return Duration::from_nanos(1 << (FIRST - 1));
    }
    if bucket >= COUNT - 1 {
        return Duration::from_nanos(1 << LAST);
    }
    let place = bucket as u64 - 1;
    let (octave, within) = (place >> OCTAVE_BITS, place & (PER_OCTAVE - 1));
    let width = 1 << (octave + u64::from(FIRST - OCTAVE_BITS));
    // In widths; `low + low · width / (low + high)` is `2 · low · high / (low + high)`.
    let (low, high) = (PER_OCTAVE + within, PER_OCTAVE + within + 1);
    Duration::from_nanos(low * width + low * width / (low + high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_for_a_bucket_lies_in_it() {
        for index in 0..COUNT {
            let nanos = u64::try_from(duration(index).as_nanos()).unwrap();
            assert_eq!(bucket(nanos), index, "{nanos}");
        }
    }

    #[test]
    fn the_buckets_are_in_order_and_without_gaps() {
        let mut last = 0;
        for power in FIRST..LAST {
            for eighth in 8..16 {
                let low = (1_u64 << power) / 8 * eighth;
                assert_eq!(bucket(low - 1), last, "below {low}");
                assert_eq!(bucket(low), last + 1, "{low}");
                last += 1;
            }
        }
        assert_eq!(bucket(0), 0);
        assert_eq!((bucket(u64::MAX), last + 2), (COUNT - 1, COUNT));
    }
}
