//! A random source that always lands on an end of the range.

use retry_runtime::Uniform;

/// Yields the lowest (`false`) or the highest (`true`) value, by a pattern that repeats.
pub(crate) struct Ends {
    pattern: &'static [bool],
    drawn: usize,
}

impl Ends {
    pub(crate) const fn repeating(pattern: &'static [bool]) -> Self {
        Self { pattern, drawn: 0 }
    }

    pub(crate) const fn lowest() -> Self {
        Self::repeating(&[false])
    }

    pub(crate) const fn highest() -> Self {
        Self::repeating(&[true])
    }
}

impl Uniform for Ends {
    fn up_to(&mut self, top: u64) -> u64 {
        let high = self.pattern[self.drawn % self.pattern.len()];
        self.drawn += 1;
        if high { top } else { 0 }
    }
}
