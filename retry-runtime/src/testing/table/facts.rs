//! What all values of a variant have in common.

use std::time::Duration;

use crate::{Classification, Execution, Hint, Kind};

/// A fact that is the same for all values, or that only the value tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Said<T> {
    Is(T),
    Asked,
}

impl<T: Copy + PartialEq> Said<T> {
    pub(super) fn said(self) -> Option<T> {
        match self {
            Self::Is(fact) => Some(fact),
            Self::Asked => None,
        }
    }

    fn beside(self, other: Self) -> Self {
        if self == other { self } else { Self::Asked }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Facts {
    pub(super) kind: Said<Kind>,
    pub(super) execution: Said<Execution>,
    pub(super) do_not_retry: Said<bool>,
    pub(super) local: Said<bool>,
    pub(super) base: Said<Option<Duration>>,
    pub(super) attempts: Said<Option<u32>>,
    pub(super) cost: Said<Option<u32>>,
}

impl Facts {
    pub(super) fn of(class: &Classification) -> Self {
        Self {
            kind: Said::Is(class.kind()),
            execution: Said::Is(class.execution()),
            do_not_retry: Said::Is(class.hint() == Some(Hint::DoNotRetry)),
            local: Said::Is(class.is_local()),
            base: Said::Is(class.base_override()),
            attempts: Said::Is(class.attempts_override()),
            cost: Said::Is(class.cost_override()),
        }
    }

    /// What holds for both.
    pub(super) fn beside(self, other: Self) -> Self {
        Self {
            kind: self.kind.beside(other.kind),
            execution: self.execution.beside(other.execution),
            do_not_retry: self.do_not_retry.beside(other.do_not_retry),
            local: self.local.beside(other.local),
            base: self.base.beside(other.base),
            attempts: self.attempts.beside(other.attempts),
            cost: self.cost.beside(other.cost),
        }
    }

    /// What `refine` fixes, whatever it is given: what it makes alike of two classes that have nothing in common.
    pub(super) fn fixed_by(refine: impl Fn(Classification) -> Classification) -> Self {
        let plain = Classification::permanent();
        let other = Classification::transient()
            .maybe_executed()
            .do_not_retry()
            .local()
            .base(Duration::MAX)
            .attempts(u32::MAX)
            .cost(u32::MAX);
        Self::of(&refine(plain)).beside(Self::of(&refine(other)))
    }

    pub(super) fn classification(&self) -> Option<Classification> {
        let mut class = match self.kind.said()? {
            Kind::Transient => Classification::transient(),
            Kind::Throttled => Classification::throttled(),
            Kind::Timeout => Classification::timeout(),
            Kind::Conflict => Classification::conflict(),
            Kind::Permanent => Classification::permanent(),
            Kind::Cancelled => Classification::cancelled(),
        };
        class = match self.execution.said()? {
            Execution::NotExecuted => class.not_executed(),
            Execution::MaybeExecuted => class.maybe_executed(),
            Execution::Executed => class.executed(),
        };
        if self.do_not_retry == Said::Is(true) {
            class = class.do_not_retry();
        }
        if self.local.said()? {
            class = class.local();
        }
        if let Some(base) = self.base.said()? {
            class = class.base(base);
        }
        if let Some(attempts) = self.attempts.said()? {
            class = class.attempts(attempts);
        }
        if let Some(cost) = self.cost.said()? {
            class = class.cost(cost);
        }
        Some(class)
    }
}

#[cfg(test)]
mod tests {
    use super::{Facts, Said};
    use crate::Classification;
    use std::time::Duration;

    #[test]
    fn what_is_not_refined_is_left_open() {
        let open = Facts::fixed_by(|class| class);
        assert_eq!(
            open,
            Facts {
                kind: Said::Asked,
                execution: Said::Asked,
                do_not_retry: Said::Asked,
                local: Said::Asked,
                base: Said::Asked,
                attempts: Said::Asked,
                cost: Said::Asked,
            }
        );
        assert_eq!(open.classification(), None);
        let fixed = Facts::fixed_by(|class| class.executed().local().cost(3));
        let want = Facts {
            execution: Said::Is(crate::Execution::Executed),
            local: Said::Is(true),
            cost: Said::Is(Some(3)),
            ..open
        };
        assert_eq!(fixed, want);
    }

    #[test]
    fn a_class_comes_back_as_it_was() {
        let second = Duration::from_secs(1);
        for kind in [
            Classification::transient(),
            Classification::throttled(),
            Classification::timeout(),
            Classification::conflict(),
            Classification::permanent(),
            Classification::cancelled(),
        ] {
            for class in [
                kind,
                kind.executed(),
                kind.maybe_executed().local(),
                kind.not_executed().base(second).attempts(2).cost(3).do_not_retry(),
            ] {
                assert_eq!(Facts::of(&class).classification(), Some(class));
            }
        }
    }
}
