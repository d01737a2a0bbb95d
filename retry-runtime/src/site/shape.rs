//! What about a closure's call its site has to know: what is fixed about most calls at one place.

use std::time::Duration;

use crate::{
    Budget, Policy, Quantile,
    breaker::{Breaker, NamedBreaker},
    budget::NamedBudget,
    hedge::{Hedge, HedgeDelay},
};

use super::{BreakerRef, BudgetRef, DeadlineRule, Site, dynamic::Place};

/// Two calls of one place that have it in common share a site.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts, compared as one number")]
pub(crate) struct Shape {
    pub(crate) budget: PaidBy,
    pub(crate) breaker: Asked,
    pub(crate) expect: Option<Quantile>,
    pub(crate) hedge: Hedged,
    pub(crate) timing: TimingOut,
    pub(crate) last_untimed: bool,
    pub(crate) sheds: bool,
    pub(crate) steps_out: bool,
    pub(crate) keeps_latency: bool,
    pub(crate) blocking: bool,
}

/// What pays, as far as tables can show it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum PaidBy {
    #[default]
    Own,
    Nobody,
    Given,
    Static(&'static Budget),
    Named(&'static str),
}

/// Who is asked.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum Asked {
    #[default]
    Nobody,
    Static(&'static Breaker),
    Named(&'static str),
}

/// Whether attempts start beside slow ones. After how long, and how many, comes with the call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Hedged {
    #[default]
    Never,
    After,
    Quantile(Quantile),
}

/// Whether attempts end by a timeout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum TimingOut {
    /// Nor could the call say that they did.
    #[default]
    Never,
    /// If somebody else asks for one: the call can say so.
    Can,
    /// After what the call says.
    Does,
}

impl PaidBy {
    fn is(self, other: Self) -> bool {
        match (self, other) {
            (Self::Own, Self::Own) | (Self::Nobody, Self::Nobody) | (Self::Given, Self::Given) => {
                true
            }
            (Self::Static(one), Self::Static(other)) => std::ptr::eq(one, other),
            (Self::Named(one), Self::Named(other)) => one == other,
            _ => false,
        }
    }
}

impl Asked {
    fn is(self, other: Self) -> bool {
        match (self, other) {
            (Self::Nobody, Self::Nobody) => true,
            (Self::Static(one), Self::Static(other)) => std::ptr::eq(one, other),
            (Self::Named(one), Self::Named(other)) => one == other,
            _ => false,
        }
    }
}

impl Shape {
    #[inline]
    pub(super) fn is(&self, other: &Self) -> bool {
        self.budget.is(other.budget)
            && self.breaker.is(other.breaker)
            && self.expect == other.expect
            && self.hedge == other.hedge
            && self.bits() == other.bits()
    }

    /// The call can say that an attempt was ended by a timeout.
    pub(crate) fn can_time_out(&mut self) {
        self.timing = self.timing.max(TimingOut::Can);
    }

    /// The flags in one comparison.
    #[inline]
    const fn bits(&self) -> u8 {
        self.timing as u8
            | (self.last_untimed as u8) << 2
            | (self.sheds as u8) << 3
            | (self.steps_out as u8) << 4
            | (self.keeps_latency as u8) << 5
            | (self.blocking as u8) << 6
    }

    /// The same without what there can be any number of. The call brings that along.
    pub(super) const fn plain(mut self) -> Self {
        if matches!(self.budget, PaidBy::Static(_) | PaidBy::Named(_)) {
            self.budget = PaidBy::Given;
        }
        self.breaker = Asked::Nobody;
        self
    }

    /// Whether it names a budget or a breaker.
    pub(super) const fn is_plain(&self) -> bool {
        !matches!(self.budget, PaidBy::Static(_) | PaidBy::Named(_))
            && matches!(self.breaker, Asked::Nobody)
    }

    /// The site of calls like this.
    pub(super) fn site(self, place: &'static Place, policy: Policy) -> Site {
        let mut site = place.site(policy);
        site.budget = match self.budget {
            PaidBy::Own => BudgetRef::Own,
            PaidBy::Nobody => BudgetRef::None,
            PaidBy::Given => BudgetRef::Given,
            PaidBy::Static(budget) => BudgetRef::Static(budget),
            PaidBy::Named(name) => BudgetRef::Named(leak(NamedBudget::new(name))),
        };
        site.breaker = match self.breaker {
            Asked::Nobody => BreakerRef::None,
            Asked::Static(breaker) => BreakerRef::Static(breaker),
            Asked::Named(name) => BreakerRef::Named(leak(NamedBreaker::new(name))),
        };
        site.expectation = self.expect.map(|quantile| (quantile, place.expected()));
        site.hedge = match self.hedge {
            Hedged::Never => None,
            Hedged::After => Some(Hedge::new(HedgeDelay::After(Duration::MAX), 0)),
            Hedged::Quantile(quantile) => {
                Some(Hedge::new(HedgeDelay::Quantile(quantile, place.hedged()), 0))
            }
        };
        // How long, the call says.
        site.attempt_timeout = (self.timing == TimingOut::Does).then_some(Duration::MAX);
        site.times_out = self.timing != TimingOut::Never;
        site.last_untimed = self.last_untimed;
        site.sheds = self.sheds;
        site.deadline = if self.steps_out { DeadlineRule::None } else { DeadlineRule::Inherit };
        site.latency = self.keeps_latency.then(|| place.latency());
        site.blocking = self.blocking;
        site
    }
}

fn leak<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}
