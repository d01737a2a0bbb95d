//! A breaker's state in one word: what it is, and how often that has changed.

/// What a breaker does with calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Closed,
    Open,
    HalfOpen,
    Isolated,
}

/// A state and its generation. Every change makes a new generation, so that two words are equal only if
/// nothing has happened in between: a permit carries the word under which it was granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Word(u64);

const KIND_BITS: u32 = 2;
const KINDS: [Kind; 4] = [Kind::Closed, Kind::Open, Kind::HalfOpen, Kind::Isolated];

impl Word {
    /// Closed, and never anything else before.
    pub(crate) const START: Self = Self(0);

    #[inline]
    pub(crate) const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    #[inline]
    pub(crate) const fn bits(self) -> u64 {
        self.0
    }

    #[inline]
    pub(crate) const fn is_closed(self) -> bool {
        matches!(self.kind(), Kind::Closed)
    }

    #[inline]
    pub(crate) const fn kind(self) -> Kind {
        KINDS[(self.0 & ((1 << KIND_BITS) - 1)) as usize]
    }

    /// How many changes led here; 62 bits.
    pub(crate) const fn generation(self) -> u64 {
        self.0 >> KIND_BITS
    }

    /// The low half of the generation. It comes round again after four thousand million changes.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the low half is what is wanted")]
    pub(crate) const fn tag(self) -> u32 {
        self.generation() as u32
    }

    /// The state after this one.
    pub(crate) const fn next(self, kind: Kind) -> Self {
        Self((self.generation().wrapping_add(1) << KIND_BITS) | kind as u64)
    }
}
