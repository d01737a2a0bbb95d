//! States for generators, such that no two of them are alike.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::num::NonZeroU64;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

#[cfg(feature = "simulation")]
use super::simulated;
use crate::timer::platform;

/// 2^64 divided by the golden ratio, made odd: the increment of `SplitMix64`.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The finalizer of `SplitMix64` (Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", 2014), a bijection of the 64-bit words.
const fn mix(mut word: u64) -> u64 {
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// What all streams of one family have in common.
#[derive(Clone, Copy)]
pub(super) struct Family {
    start: u64,
    mask: u64,
}

impl Family {
    /// The family of a chosen seed, the same in every process.
    pub(super) const fn of(seed: u64) -> Self {
        Self { start: mix(seed), mask: mix(seed ^ GOLDEN) }
    }

    /// This process's own family: 128 bits from the operating system, asked once.
    fn of_this_process() -> Self {
        static FAMILY: OnceLock<Family> = OnceLock::new();
        #[cfg(feature = "simulation")]
        if let Some(seed) = simulated::seed() {
            return Self::of(seed);
        }
        *FAMILY.get_or_init(|| {
            let (keys, more) = (RandomState::new(), platform::entropy());
            Self { start: keys.hash_one((0_u64, more)), mask: keys.hash_one((1_u64, more)) }
        })
    }

    /// The state of one stream.
    ///
    /// The first word is a bijection of the stream's number, so the streams of a family differ by
    /// construction; the mask keeps apart families whose streams share that word. The first two
    /// words are never both zero, which Xoshiro would not survive.
    pub(super) const fn stream(self, number: u64) -> [u64; 4] {
        // Without this mix the words of a stream would be those of its neighbour, shifted by one.
        let origin = mix(self.start.wrapping_add(number.wrapping_mul(GOLDEN)));
        [
            mix(origin.wrapping_add(GOLDEN)),
            mix(origin.wrapping_add(GOLDEN.wrapping_mul(2))),
            mix(origin.wrapping_add(GOLDEN.wrapping_mul(3))) ^ self.mask,
            mix(origin.wrapping_add(GOLDEN.wrapping_mul(4))) ^ self.mask.rotate_left(32),
        ]
    }
}

/// A state that this process has not handed out before.
pub(super) fn fresh() -> [u64; 4] {
    of_this_process(Stream::fresh(), 0)
}

/// A word that stands for this number in this process: no other number has it here, and none elsewhere is likely
/// to.
pub(crate) fn word_of_this_process(number: u64) -> u64 {
    mix(Family::of_this_process().mask.wrapping_add(number.wrapping_mul(GOLDEN)))
}

/// The state of one step of a stream of this process.
pub(super) fn of_this_process(stream: Stream, step: u32) -> [u64; 4] {
    Family::of_this_process().stream(stream.number(step))
}

/// A stream whose states are made anew for each step, so that nothing but its number need be kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stream(NonZeroU64);

impl Stream {
    /// One that this process has not handed out before.
    pub(crate) fn fresh() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        #[cfg(feature = "simulation")]
        if let Some(number) = simulated::next() {
            return Self::new(number);
        }
        // Only that the numbers differ matters, not what other memory they are ordered with.
        Self::new(NEXT.fetch_add(1, Ordering::Relaxed))
    }

    /// The one of this number; zero acts like one.
    pub(crate) const fn new(number: u64) -> Self {
        match NonZeroU64::new(number) {
            Some(number) => Self(number),
            None => Self(NonZeroU64::MIN),
        }
    }

    /// Numbers that differ in the step too, by construction for the first 2^40 streams and the first
    /// 2^24 steps of each.
    pub(super) const fn number(self, step: u32) -> u64 {
        self.0.get().wrapping_add((step as u64) << 40)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_finalizer_is_the_published_one() {
        // The first outputs of SplitMix64 seeded with 1234567, from the reference implementation.
        let outputs =
            [1, 2, 3].map(|n: u64| mix(1_234_567_u64.wrapping_add(n.wrapping_mul(GOLDEN))));
        assert_eq!(
            outputs,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[cfg_attr(miri, ignore = "arithmetic over very many values")]
    #[test]
    fn neighbouring_streams_share_no_word() {
        let family = Family::of(0);
        let mut words: Vec<u64> = (0..50_000).flat_map(|number| family.stream(number)).collect();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), 200_000);
    }

    #[test]
    fn families_that_meet_in_the_first_word_stay_apart() {
        let family = Family::of(7);
        let other = Family { mask: !family.mask, ..family };
        assert_eq!(family.stream(3)[0], other.stream(3)[0]);
        assert_ne!(family.stream(3)[2..], other.stream(3)[2..]);
    }

    #[test]
    fn no_state_is_all_zero() {
        // The streams whose first or second word is zero: `mix` maps only zero to zero.
        for words in [1, 2] {
            let family = Family { start: 0, mask: 0 };
            let origin = 0_u64.wrapping_sub(GOLDEN.wrapping_mul(words));
            let number = unmix(origin).wrapping_mul(inverse(GOLDEN));
            let state = family.stream(number);
            assert_eq!(state.iter().filter(|word| **word == 0).count(), 1, "{state:?}");
        }
    }

    /// The inverse of [`mix`].
    fn unmix(mut word: u64) -> u64 {
        word ^= (word >> 31) ^ (word >> 62);
        word = word.wrapping_mul(inverse(0x94d0_49bb_1331_11eb));
        word ^= (word >> 27) ^ (word >> 54);
        word = word.wrapping_mul(inverse(0xbf58_476d_1ce4_e5b9));
        word ^ (word >> 30) ^ (word >> 60)
    }

    /// The inverse of an odd number modulo 2^64, by Newton's iteration.
    fn inverse(odd: u64) -> u64 {
        (0..6).fold(odd, |guess, _| guess.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(guess))))
    }
}
