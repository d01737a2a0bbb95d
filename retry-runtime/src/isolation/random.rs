//! Randomness, as the running test wants it.

use super::{Draws, lock, with};
use crate::{Generator, random::Stream, testing::Jitter};

pub(crate) fn generator() -> Generator {
    with(|state| {
        let mut draws = lock(&state.jitter);
        match draws.jitter {
            Jitter::Random => Generator::fresh(),
            Jitter::Lowest => Generator::lowest(),
            Jitter::Highest => Generator::highest(),
            Jitter::Seeded(seed) => {
                draws.stream += 1;
                Generator::seeded(seed, draws.stream)
            }
        }
    })
}

/// The stream of a call that fails for the first time.
pub(crate) fn stream() -> Stream {
    with(|state| {
        let mut draws = lock(&state.jitter);
        if matches!(draws.jitter, Jitter::Seeded(_)) {
            draws.stream += 1;
            Stream::new(draws.stream)
        } else {
            Stream::fresh()
        }
    })
}

/// The generator of one step of it.
pub(crate) fn generator_at(stream: Stream, step: u32) -> Generator {
    match with(|state| lock(&state.jitter).jitter) {
        Jitter::Random => Generator::at(stream, step),
        Jitter::Lowest => Generator::lowest(),
        Jitter::Highest => Generator::highest(),
        Jitter::Seeded(seed) => Generator::seeded_at(seed, stream, step),
    }
}

/// For idempotency keys: seeded with the jitter, and otherwise at random whatever becomes of it, since
/// keys that are alike would make two operations one.
pub(crate) fn key_generator() -> Generator {
    let seeded = with(|state| matches!(lock(&state.jitter).jitter, Jitter::Seeded(_)));
    if seeded { generator() } else { Generator::fresh() }
}

pub(crate) fn set_jitter(jitter: Jitter) {
    with(|state| *lock(&state.jitter) = Draws { jitter, stream: 0 });
}
