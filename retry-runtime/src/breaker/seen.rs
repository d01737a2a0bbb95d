//! What became of a call, as far as its breaker cares.

use crate::{Classification, Cut, Kind};

/// What a call says about the dependency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Seen {
    /// It lives: it answered.
    Success,
    /// It failed.
    Failure,
    /// It did not answer in time, a failure too.
    Timeout,
    /// Nothing: the call counts neither way.
    Ignored,
}

impl Seen {
    /// Of a call that failed in this way, or was cut.
    ///
    /// Permanent failures that the dependency itself gave as its answer, and changes that lost against
    /// others there, prove that it lives. Permanent failures otherwise, this process's own failures and
    /// what was stopped on purpose say nothing, and neither do cuts at a deadline: how much time there
    /// was is the caller's affair.
    #[must_use]
    pub const fn of(classification: &Classification, cut: Option<Cut>) -> Self {
        match cut {
            Some(Cut::AttemptTimeout(_)) => return Self::Timeout,
            Some(Cut::DeadlineExceeded(_) | Cut::BreakerOpen(_)) => return Self::Ignored,
            None => {}
        }
        if classification.is_local() {
            return Self::Ignored;
        }
        match classification.kind() {
            Kind::Timeout => Self::Timeout,
            Kind::Transient | Kind::Throttled => Self::Failure,
            Kind::Conflict => Self::Success,
            Kind::Permanent if classification.is_answer() => Self::Success,
            Kind::Permanent | Kind::Cancelled => Self::Ignored,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Seen;
    use crate::{AttemptTimeout, BreakerOpen, Classification, Cut, DeadlineExceeded};

    #[test]
    fn what_a_breaker_sees_of_a_failure() {
        for (class, seen) in [
            (Classification::transient(), Seen::Failure),
            (Classification::transient().maybe_executed(), Seen::Failure),
            (Classification::throttled(), Seen::Failure),
            (Classification::timeout(), Seen::Timeout),
            (Classification::timeout().not_executed(), Seen::Timeout),
            (Classification::conflict(), Seen::Success),
            (Classification::permanent().executed(), Seen::Success),
            (Classification::permanent(), Seen::Ignored),
            (Classification::permanent().maybe_executed(), Seen::Ignored),
            (Classification::cancelled(), Seen::Ignored),
            (Classification::transient().local(), Seen::Ignored),
            (Classification::timeout().local(), Seen::Ignored),
            (Classification::permanent().executed().local(), Seen::Ignored),
        ] {
            assert_eq!(Seen::of(&class, None), seen, "{class:?}");
        }
    }

    #[test]
    fn what_a_breaker_sees_of_a_cut_whatever_its_error_is_classified_as() {
        for class in [Classification::transient(), Classification::permanent().executed().local()] {
            let of = |cut: Cut| Seen::of(&class, Some(cut));
            assert_eq!(of(AttemptTimeout::new().into()), Seen::Timeout);
            assert_eq!(of(DeadlineExceeded::new().into()), Seen::Ignored);
            assert_eq!(of(BreakerOpen::new(None).into()), Seen::Ignored);
        }
    }
}
