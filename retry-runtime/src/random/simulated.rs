//! Randomness of simulations: each thread's from a seed of its own.

use std::cell::Cell;

use crate::{Moment, clock};

thread_local! {
    /// The seed, and the number of the next stream.
    static SIMULATED: Cell<Option<(u64, u64)>> = const { Cell::new(None) };
}

/// From here on all that happens on this thread draws its jitter from this seed, the same in the same order; `None`
/// ends that.
pub fn seed_thread(seed: Option<u64>) {
    SIMULATED.set(seed.map(|seed| (seed, 1)));
}

/// Now, as calls on this thread see it.
pub fn now() -> Moment {
    clock::now()
}

pub(super) fn seed() -> Option<u64> {
    SIMULATED.get().map(|(seed, _)| seed)
}

/// The number of a stream that this simulation has not had.
pub(super) fn next() -> Option<u64> {
    let (seed, number) = SIMULATED.get()?;
    SIMULATED.set(Some((seed, number + 1)));
    Some(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Generator, Uniform};

    fn drawn() -> Vec<u64> {
        (0..3).map(|_| Generator::fresh().up_to(1_000_000)).collect()
    }

    #[test]
    fn a_thread_draws_the_same_again_and_others_do_not_notice() {
        seed_thread(Some(7));
        let first = drawn();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                seed_thread(Some(8));
                assert_ne!(drawn(), first);
            });
        });
        seed_thread(Some(7));
        assert_eq!(drawn(), first);
        seed_thread(None);
        assert_ne!(drawn(), first);
    }
}
