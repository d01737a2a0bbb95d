//! The generator that production draws its jitter from.

use rand::distr::{Distribution, Uniform as Between};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};

use super::Uniform;
use super::seed::{self, Family, Stream};

/// A generator of jitter with a stream of its own.
///
/// Each call that fails has a stream of its own and each of its failures a part of that, so calls and
/// threads share nothing and never move in step. It cannot be cloned: two copies would draw the same
/// jitter.
///
/// The numbers are those of xoshiro256++ (Blackman and Vigna, "Scrambled linear pseudorandom
/// number generators", 2021), of good quality and not meant for secrets. The stream of a seed is
/// the same on every platform.
///
/// ```
/// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
/// use stormless::engine::{Generator, Uniform};
///
/// let mut dice = Generator::seeded(42, 0);
/// let mut again = Generator::seeded(42, 0);
/// assert_eq!(dice.up_to(5), again.up_to(5));
/// ```
#[derive(Debug)]
pub struct Generator(Source);

#[derive(Debug)]
enum Source {
    Stream(Xoshiro256PlusPlus),
    #[cfg(any(test, feature = "testing"))]
    Lowest,
    #[cfg(any(test, feature = "testing"))]
    Highest,
}

impl Generator {
    /// A generator with a stream that no other generator of this process has.
    ///
    /// The operating system is asked for 128 bits once per process, through the standard library's
    /// [`RandomState`](std::collections::hash_map::RandomState); each generator then takes the
    /// next number of an atomic counter and mixes it in with a bijection.
    ///
    /// A copy of a process that has already drawn (`fork` without `exec`, a restored snapshot)
    /// goes on with the seed of the original. On `wasm32-unknown-unknown` the standard library can offer
    /// only addresses, which repeat from one start to the next: there the 128 bits are
    /// `crypto.getRandomValues()`'s with the feature `gloo-timers-0-4`, and without it no more than the
    /// time on the installed timer.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::engine::{Generator, Uniform};
    ///
    /// assert!(Generator::fresh().up_to(9) <= 9);
    /// ```
    pub fn fresh() -> Self {
        Self::from_state(seed::fresh())
    }

    /// The generator of a seed and a stream number, the same in every process and on every
    /// platform. Pairs that differ give streams that differ.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::engine::Generator;
    ///
    /// let mut first = Generator::seeded(42, 0);
    /// assert_eq!(first.next_u64(), Generator::seeded(42, 0).next_u64());
    /// assert_ne!(first.next_u64(), Generator::seeded(42, 1).next_u64());
    /// ```
    pub fn seeded(seed: u64, stream: u64) -> Self {
        Self::from_state(Family::of(seed).stream(stream))
    }

    /// The generator of one step of a stream of this process.
    pub(crate) fn at(stream: Stream, step: u32) -> Self {
        Self::from_state(seed::of_this_process(stream, step))
    }

    /// The generator of one step of a stream, the same in every process.
    #[cfg(feature = "testing")]
    pub(crate) fn seeded_at(seed: u64, stream: Stream, step: u32) -> Self {
        Self::seeded(seed, stream.number(step))
    }

    /// A generator that always yields the lowest value of a range: the shortest delay of every
    /// random strategy.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::engine::{Generator, Uniform};
    ///
    /// assert_eq!(Generator::lowest().up_to(100), 0);
    /// ```
    #[cfg(any(test, feature = "testing"))]
    pub const fn lowest() -> Self {
        Self(Source::Lowest)
    }

    /// A generator that always yields the highest value of a range: the longest delay of every
    /// random strategy.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::engine::{Generator, Uniform};
    ///
    /// assert_eq!(Generator::highest().up_to(100), 100);
    /// ```
    #[cfg(any(test, feature = "testing"))]
    pub const fn highest() -> Self {
        Self(Source::Highest)
    }

    /// The next 64 bits of the stream, such as half of an idempotency key.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::engine::Generator;
    ///
    /// let mut generator = Generator::seeded(42, 0);
    /// assert_ne!(generator.next_u64(), generator.next_u64());
    /// ```
    pub fn next_u64(&mut self) -> u64 {
        match &mut self.0 {
            Source::Stream(stream) => stream.next_u64(),
            #[cfg(any(test, feature = "testing"))]
            Source::Lowest => u64::MIN,
            #[cfg(any(test, feature = "testing"))]
            Source::Highest => u64::MAX,
        }
    }

    fn from_state(state: [u64; 4]) -> Self {
        let mut bytes = [0; 32];
        for (bytes, word) in bytes.chunks_exact_mut(8).zip(state) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        Self(Source::Stream(Xoshiro256PlusPlus::from_seed(bytes)))
    }
}

impl Uniform for Generator {
    fn up_to(&mut self, top: u64) -> u64 {
        match &mut self.0 {
            // `random_range` changes its algorithm, and so the stream, with a feature of `rand`
            // that anybody in the dependency graph may switch on, and is slightly biased without
            // it. A prepared range always takes Lemire's unbiased method.
            Source::Stream(stream) => {
                Between::new_inclusive(0, top).map_or(top, |range| range.sample(stream))
            }
            #[cfg(any(test, feature = "testing"))]
            Source::Lowest => 0,
            #[cfg(any(test, feature = "testing"))]
            Source::Highest => top,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_small_and_can_move_to_another_thread() {
        fn can_move<T: Send + std::fmt::Debug>() {}
        can_move::<Generator>();
        assert!(size_of::<Generator>() <= 40);
    }

    #[test]
    fn the_stream_of_a_seed_never_changes() {
        // Recorded schedules rest on these numbers: a change here breaks users' seeded tests.
        let mut stream = Generator::seeded(42, 7);
        let draws = [stream.next_u64(), stream.up_to(u64::MAX), stream.up_to(999_999)];
        assert_eq!(draws, [9_708_013_278_439_333_719, 3_998_553_530_755_068_076, 531_303]);
    }

    #[test]
    fn the_extremes_yield_the_ends_of_the_range() {
        for top in [0, 1, 1_000, u64::MAX] {
            assert_eq!(Generator::lowest().up_to(top), 0);
            assert_eq!(Generator::highest().up_to(top), top);
        }
        assert_eq!(Generator::lowest().next_u64(), 0);
        assert_eq!(Generator::highest().next_u64(), u64::MAX);
    }

    #[test]
    fn a_range_includes_both_of_its_ends() {
        let mut stream = Generator::seeded(1, 0);
        let mut seen = [0_u32; 3];
        for _ in 0..300 {
            match stream.up_to(2) {
                0 => seen[0] += 1,
                1 => seen[1] += 1,
                2 => seen[2] += 1,
                outside => panic!("{outside} is above the top"),
            }
        }
        assert!(seen.iter().all(|count| *count > 60), "{seen:?}");
    }

    #[cfg_attr(miri, ignore = "arithmetic over very many values")]
    #[test]
    fn a_range_that_does_not_divide_two_to_the_64_is_unbiased() {
        // A remainder would put the lowest third of this range at one half instead of a third.
        let top = (u64::MAX / 4) * 3;
        let mut stream = Generator::seeded(2, 0);
        let low = (0..30_000).filter(|_| stream.up_to(top) < u64::MAX / 4).count();
        assert!((9_700..10_300).contains(&low), "{low} of 30000 in the lowest third");
    }
}
