//! The facts about an attempt, in four words.

use crate::Moment;

/// The facts about the running attempt that calls inside it see. Immutable while it runs, pushed
/// and popped around each poll; whatever changes about a call lives in the side table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
// In this order, for the sake of the frames, which have another.
#[repr(C)]
pub(crate) struct Ambient {
    /// No call below may run past this.
    pub(crate) deadline: Moment,
    /// The running call's number in the upper 56 bits, the flags in the lower 8.
    pub(super) call_and_flags: u64,
    /// The report scope in the upper 20 bits, the isolated test in the next 12, the nearest budget's id
    /// in the lower 32.
    pub(super) scope_test_budget: u64,
    /// The attempt's number in the lower 24 bits, the most attempts of its call in the upper 8.
    pub(super) attempt_and_most: u32,
    /// Stands for the running call's site in derived keys.
    pub(crate) site: u32,
}

const _: () = assert!(size_of::<Ambient>() <= 32, "each word more is paid for on every poll");

/// Annotated calls in here run once.
pub(crate) const SUPPRESS: u32 = 1;
/// An enclosing call that suppresses is `idempotent`.
pub(crate) const IDEMPOTENT: u32 = 1 << 1;
/// An enclosing call that suppresses is repeating: attempt 2 or later.
pub(crate) const REPEATING: u32 = 1 << 2;
/// A copy of an attempt's context, in a scope or carried elsewhere: the call it names may have ended.
pub(crate) const CARRIED: u32 = 1 << 3;
/// Retries are switched off in this scope.
pub(crate) const OFF: u32 = 1 << 4;
/// Polled as a future, on a thread that other tasks may be waiting for.
pub(crate) const POLLED: u32 = 1 << 5;
/// The running call has stepped out of what suppresses around it. Of this call alone, not of those inside.
pub(crate) const INDEPENDENT: u32 = 1 << 6;

const NUMBER_BITS: u32 = 24;
/// The highest number of an attempt that can be told; later ones have it too.
pub(crate) const LAST_ATTEMPT: u32 = (1 << NUMBER_BITS) - 1;
/// Stands for as many attempts as this, or more, or for no limit.
pub(crate) const MOST: u32 = u32::MAX >> NUMBER_BITS;
const FLAG_BITS: u32 = 8;
const FLAGS: u64 = (1 << FLAG_BITS) - 1;
const BUDGET_BITS: u32 = 32;
const BUDGET: u64 = (1 << BUDGET_BITS) - 1;
const TEST_BITS: u32 = 12;
const SCOPE_SHIFT: u32 = BUDGET_BITS + TEST_BITS;
/// The highest number of an isolated test.
#[cfg(feature = "testing")]
pub(crate) const LAST_TEST: u32 = (1 << TEST_BITS) - 1;
/// The highest number of a report scope.
pub(crate) const LAST_SCOPE: u32 = (1 << (64 - SCOPE_SHIFT)) - 1;

/// The number of a call, where the context has it: above the flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CallNumber(u64);

impl CallNumber {
    #[inline]
    pub(crate) const fn new(number: u64) -> Self {
        Self(number << FLAG_BITS)
    }

    #[inline]
    pub(crate) const fn get(self) -> u64 {
        self.0 >> FLAG_BITS
    }

    #[inline]
    #[must_use]
    pub(crate) const fn next(self) -> Self {
        Self(self.0 + Self::new(1).0)
    }
}

/// The most attempts of a call, where the context has it.
#[inline]
pub(crate) const fn told(most: Option<u32>) -> u32 {
    match most {
        Some(most) if most < MOST => most,
        Some(_) | None => MOST,
    }
}

/// The number of the attempt after this one, or the highest that can be told.
#[inline]
pub(crate) const fn after(number: u32) -> u32 {
    if number < LAST_ATTEMPT { number + 1 } else { LAST_ATTEMPT }
}

impl Ambient {
    /// Outside of everything.
    pub(crate) const ROOT: Self = Self {
        deadline: Moment::NEVER,
        call_and_flags: 0,
        attempt_and_most: 0,
        site: 0,
        scope_test_budget: 0,
    };

    /// The first attempt of a call, and the `most` that there may be: up to [`MOST`].
    #[inline]
    pub(crate) const fn new(
        deadline: Moment,
        call: CallNumber,
        most: u32,
        flags: u32,
        site: u32,
        budget: u32,
    ) -> Self {
        Self {
            deadline,
            call_and_flags: call.0 | flags as u64,
            attempt_and_most: 1 | most << NUMBER_BITS,
            site,
            scope_test_budget: budget as u64,
        }
    }

    /// The running call, or 0. Never used again for another one.
    #[inline]
    pub(crate) const fn call(self) -> u64 {
        CallNumber(self.call_and_flags).get()
    }

    /// The attempt's number; 0 outside of everything.
    #[inline]
    pub(crate) const fn attempt(self) -> u32 {
        self.attempt_and_most & LAST_ATTEMPT
    }

    /// The most attempts of the running call; `None` if that is no limit, or too many to be told.
    pub(crate) const fn most(self) -> Option<u32> {
        let most = self.attempt_and_most >> NUMBER_BITS;
        if most == MOST { None } else { Some(most) }
    }

    /// The same call's attempt of this number.
    #[must_use]
    pub(crate) const fn at_attempt(mut self, number: u32) -> Self {
        let number = if number < LAST_ATTEMPT { number } else { LAST_ATTEMPT };
        self.attempt_and_most = self.attempt_and_most & !LAST_ATTEMPT | number;
        self
    }

    /// With this many attempts at most.
    #[must_use]
    pub(crate) const fn of_most(mut self, most: Option<u32>) -> Self {
        let most = told(most);
        self.attempt_and_most = self.attempt_and_most & LAST_ATTEMPT | most << NUMBER_BITS;
        self
    }

    /// The lower half of the running call's number, which tells it from all that are likely around.
    #[expect(clippy::cast_possible_truncation, reason = "the lower half is what is wanted")]
    #[inline]
    pub(crate) const fn call_half(self) -> u32 {
        self.call() as u32
    }

    /// The nearest budget's id, or 0.
    #[expect(clippy::cast_possible_truncation, reason = "the lower half is the budget's")]
    #[inline]
    pub(crate) const fn budget(self) -> u32 {
        self.scope_test_budget as u32
    }

    #[must_use]
    pub(crate) const fn with_deadline(mut self, deadline: Moment) -> Self {
        self.deadline = deadline;
        self
    }

    #[inline]
    pub(crate) const fn has(self, flag: u32) -> bool {
        self.call_and_flags & flag as u64 != 0
    }

    #[inline]
    pub(crate) const fn flags(self) -> u32 {
        (self.call_and_flags & FLAGS) as u32
    }

    #[inline]
    #[must_use]
    pub(crate) const fn with_flags(mut self, flags: u32) -> Self {
        self.call_and_flags = self.call_and_flags & !FLAGS | flags as u64;
        self
    }

    /// The report scope, or 0.
    #[inline]
    pub(crate) const fn scope(self) -> u32 {
        (self.scope_test_budget >> SCOPE_SHIFT) as u32
    }

    /// The isolated test that everything in here belongs to, or 0.
    #[cfg(feature = "testing")]
    #[inline]
    pub(crate) const fn test(self) -> u32 {
        (self.scope_test_budget >> BUDGET_BITS) as u32 & LAST_TEST
    }

    /// In the same report scope and the same test as `other`.
    #[inline]
    #[must_use]
    pub(crate) const fn within(mut self, other: Self) -> Self {
        self.scope_test_budget =
            self.scope_test_budget & BUDGET | other.scope_test_budget & !BUDGET;
        self
    }

    #[must_use]
    pub(crate) const fn with_scope(mut self, scope: u32) -> Self {
        let others = (1 << SCOPE_SHIFT) - 1;
        self.scope_test_budget = (scope as u64) << SCOPE_SHIFT | self.scope_test_budget & others;
        self
    }

    #[cfg(feature = "testing")]
    #[must_use]
    pub(crate) const fn with_test(mut self, test: u32) -> Self {
        let others = !((LAST_TEST as u64) << BUDGET_BITS);
        self.scope_test_budget = self.scope_test_budget & others | (test as u64) << BUDGET_BITS;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_an_attempt_and_the_most_of_them_do_not_touch_each_other() {
        let call = CallNumber::new(1);
        for (most, known) in [(1, Some(1)), (3, Some(3)), (254, Some(254)), (255, None)] {
            let first = Ambient::new(Moment::NEVER, call, most, 0, 0, 0);
            assert_eq!((first.attempt(), first.most()), (1, known));
            for number in [2, 255, 256, LAST_ATTEMPT] {
                let attempt = first.at_attempt(number);
                assert_eq!((attempt.attempt(), attempt.most()), (number, known));
                let other = attempt.of_most(Some(7));
                assert_eq!((other.attempt(), other.most()), (number, Some(7)));
            }
        }
    }

    #[test]
    fn what_is_beyond_the_bits_is_told_as_the_last_that_they_can_tell() {
        let none = Ambient::ROOT.at_attempt(u32::MAX).of_most(None);
        assert_eq!((none.attempt(), none.most()), (LAST_ATTEMPT, None));
        assert_eq!(none.of_most(Some(u32::MAX)).most(), None);
        assert_eq!(
            (after(1), after(LAST_ATTEMPT), after(u32::MAX)),
            (2, LAST_ATTEMPT, LAST_ATTEMPT)
        );
    }
}
