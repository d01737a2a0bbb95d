//! Points in time as one word.

use std::time::Duration;

/// A point on the monotonic clock, in nanoseconds from an arbitrary origin.
///
/// The engine never reads a clock: it is handed moments. [`Moment::NEVER`] lies after every other
/// moment, and all arithmetic saturates, so that `Duration::MAX` anywhere means "never".
///
/// ```
/// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
/// use stormless::engine::Moment;
/// use std::time::Duration;
///
/// let start = Moment::from_nanos(0);
/// let later = start.after(Duration::from_millis(1500));
/// assert_eq!((later.as_nanos(), start.until(later)), (1_500_000_000, Duration::from_millis(1500)));
/// assert_eq!(later.until(start), Duration::ZERO);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment(u64);

impl Moment {
    /// Later than every other moment: a deadline that does not exist.
    pub const NEVER: Self = Self(u64::MAX);

    /// The last before [`NEVER`](Self::NEVER), which nobody lives to see: the deadline of a call that has none,
    /// but that asks at its first wait whether it has.
    pub(crate) const UNREACHED: Self = Self(u64::MAX - 1);

    /// Whether this is a deadline that may come.
    pub(crate) const fn may_come(self) -> bool {
        self.0 < Self::UNREACHED.0
    }

    /// The moment this many nanoseconds after the origin.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::engine::Moment;
    ///
    /// assert_eq!(Moment::from_nanos(7).as_nanos(), 7);
    /// ```
    #[must_use]
    pub const fn from_nanos(nanos: u64) -> Self {
        Self(nanos)
    }

    /// Nanoseconds since the origin.
    #[must_use]
    pub const fn as_nanos(self) -> u64 {
        self.0
    }

    /// This moment plus `delay`, saturating at [`Moment::NEVER`].
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::engine::Moment;
    /// use std::time::Duration;
    ///
    /// let moment = Moment::from_nanos(0);
    /// assert_eq!(moment.after(Duration::from_secs(1)).as_nanos(), 1_000_000_000);
    /// assert_eq!(moment.after(Duration::MAX), Moment::NEVER);
    /// ```
    #[must_use]
    pub const fn after(self, delay: Duration) -> Self {
        Self(self.0.saturating_add(nanos(delay)))
    }

    /// How long it is from this moment until `later`; zero if that has passed, and
    /// `Duration::MAX` for [`Moment::NEVER`].
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::engine::Moment;
    /// use std::time::Duration;
    ///
    /// let (now, later) = (Moment::from_nanos(0), Moment::from_nanos(5));
    /// assert_eq!(now.until(later), Duration::from_nanos(5));
    /// assert_eq!(later.until(now), Duration::ZERO);
    /// assert_eq!(now.until(Moment::NEVER), Duration::MAX);
    /// ```
    #[must_use]
    pub const fn until(self, later: Self) -> Duration {
        if later.0 == u64::MAX {
            return Duration::MAX;
        }
        Duration::from_nanos(later.0.saturating_sub(self.0))
    }
}

/// A duration in whole nanoseconds, saturating after 584 years.
#[must_use]
pub(crate) const fn nanos(duration: Duration) -> u64 {
    let wide = duration.as_nanos();
    if wide > u64::MAX as u128 {
        u64::MAX
    } else {
        #[expect(clippy::cast_possible_truncation, reason = "compared with the limit just above")]
        let narrow = wide as u64;
        narrow
    }
}

/// A duration of this many nanoseconds, the most of which mean for ever.
#[must_use]
pub(crate) const fn duration(nanos: u64) -> Duration {
    if nanos == u64::MAX { Duration::MAX } else { Duration::from_nanos(nanos) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_duration_means_never() {
        let now = Moment::from_nanos(5);
        assert_eq!(now.after(Duration::MAX), Moment::NEVER);
        assert_eq!(now.until(Moment::NEVER), Duration::MAX);
    }

    #[test]
    fn a_moment_that_has_passed_is_no_time_away() {
        assert_eq!(Moment::from_nanos(9).until(Moment::from_nanos(4)), Duration::ZERO);
    }
}
