//! Paying for a retry: the call's own budget, and those of the suppressed calls that it repeats.

use crate::{Budget, Moment, Withdrawal, machine::Purse, side::Debt};

/// What was paid for the retry that has not started yet.
#[derive(Debug, Default)]
pub(super) struct Paid(Vec<(&'static Budget, Withdrawal)>);

impl Paid {
    /// The retry has started, so it is spent.
    pub(super) fn spend(&mut self) {
        self.0.clear();
    }

    /// One of the payers refused, so that nobody has paid.
    fn undo(&mut self) {
        for (budget, withdrawal) in self.0.drain(..) {
            budget.undo(withdrawal);
        }
    }

    /// The retry will not start.
    pub(super) fn give_back(&mut self) {
        for (budget, withdrawal) in self.0.drain(..) {
            budget.give_back(withdrawal);
        }
    }
}

/// The budgets that a retry of this call draws on.
pub(super) struct Payers<'a> {
    pub(super) own: Option<&'static Budget>,
    pub(super) inner: &'a [Debt],
    pub(super) now: Moment,
    pub(super) paid: &'a mut Paid,
}

impl Payers<'_> {
    fn pay(&mut self, budget: &'static Budget, cost: u32) -> bool {
        // Each budget once: an inner call that shares the outer's is repeated by the one retry.
        if self.paid.0.iter().any(|(paid, _)| paid.id() == budget.id()) {
            return true;
        }
        match budget.withdraw(cost, self.now) {
            Some(withdrawal) => {
                self.paid.0.push((budget, withdrawal));
                true
            }
            None => false,
        }
    }
}

impl Purse for Payers<'_> {
    fn withdraw(&mut self, cost: u32) -> bool {
        let inner = self.inner;
        let paid = self.own.is_none_or(|own| self.pay(own, cost))
            && inner.iter().all(|(budget, cost)| self.pay(budget, *cost));
        if !paid {
            self.paid.undo();
        }
        paid
    }
}
