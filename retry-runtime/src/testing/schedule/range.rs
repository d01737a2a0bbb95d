//! What a delay is to be.

use std::{
    fmt,
    ops::{Range, RangeInclusive},
    time::Duration,
};

/// What a delay is expected to be, both ends included: from a [`Duration`], or from a range of them.
///
/// ```
/// # use retry_runtime as stormless;
/// use std::time::Duration;
/// use stormless::testing::DelayRange;
///
/// let (low, high) = (Duration::from_millis(50), Duration::from_millis(100));
/// assert_eq!(DelayRange::from(low).to_string(), "50ms");
/// assert!(DelayRange::from(low..=high).contains(high));
/// assert!(!DelayRange::from(low..high).contains(high));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DelayRange {
    least: Duration,
    most: Duration,
}

impl DelayRange {
    /// Whether a delay is one that is expected.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use std::time::Duration;
    /// use stormless::testing::DelayRange;
    ///
    /// let up_to = DelayRange::from(Duration::ZERO..=Duration::from_millis(50));
    /// assert!(up_to.contains(Duration::from_millis(50)) && !up_to.contains(Duration::from_millis(51)));
    /// ```
    #[must_use]
    pub fn contains(&self, delay: Duration) -> bool {
        (self.least..=self.most).contains(&delay)
    }
}

impl From<Duration> for DelayRange {
    fn from(delay: Duration) -> Self {
        Self { least: delay, most: delay }
    }
}

impl From<RangeInclusive<Duration>> for DelayRange {
    fn from(range: RangeInclusive<Duration>) -> Self {
        Self { least: *range.start(), most: *range.end() }
    }
}

/// Without its end, so that an empty range contains nothing.
impl From<Range<Duration>> for DelayRange {
    fn from(range: Range<Duration>) -> Self {
        match range.end.checked_sub(Duration::from_nanos(1)) {
            Some(most) => Self { least: range.start, most },
            None => Self { least: Duration::MAX, most: Duration::ZERO },
        }
    }
}

impl fmt::Display for DelayRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.least == self.most {
            write!(f, "{:?}", self.least)
        } else {
            write!(f, "{:?}..={:?}", self.least, self.most)
        }
    }
}
