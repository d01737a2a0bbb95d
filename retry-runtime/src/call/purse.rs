//! Paying for a retry: the call's own budget, and those of the suppressed calls that it repeats.

use crate::{
    Budget, Classification, Moment, Withdrawal,
    budget::{Draw, Price},
    few::Few,
    machine::Purse,
    side::Debt,
};

use super::Call;

/// What others than the call's own budget were paid.
pub(super) type Others = Few<(&'static Budget, Withdrawal)>;

/// The budgets that a retry of this call draws on.
pub(super) struct Payers<'a> {
    own: Option<&'static Budget>,
    inner: &'a Few<Debt>,
    /// Which retry it is, from 1.
    retry: u32,
    now: Moment,
    own_paid: Option<Withdrawal>,
    others_paid: Others,
}

impl<'a> Payers<'a> {
    pub(super) const fn new(
        own: Option<&'static Budget>,
        inner: &'a Few<Debt>,
        retry: u32,
        now: Moment,
    ) -> Self {
        Self { own, inner, retry, now, own_paid: None, others_paid: Few::new() }
    }

    /// What was paid, if the retry was granted: by the call's own budget, and by others.
    pub(super) fn into_paid(self) -> (Option<Withdrawal>, Others) {
        (self.own_paid, self.others_paid)
    }

    const fn draw(&self, price: Price, own: bool) -> Draw {
        Draw { price, retry: self.retry, own, now: self.now }
    }

    /// What was paid for will not start after all.
    pub(super) fn give_back(self) {
        let (own, others) = (self.own.zip(self.own_paid), self.others_paid);
        for (budget, withdrawal) in own.into_iter().chain(others) {
            budget.give_back(withdrawal);
        }
    }

    fn pay_own(&mut self, price: Price) -> bool {
        let Some(own) = self.own else { return true };
        self.own_paid = own.draw(self.draw(price, true), |_| false);
        self.own_paid.is_some()
    }

    fn pay(&mut self, budget: &'static Budget, price: Price) -> bool {
        // Each budget once: an inner call that shares the outer's is repeated by the one retry.
        if self.has_paid(budget) {
            return true;
        }
        match budget.draw(self.draw(price, false), |level| self.has_paid(level)) {
            Some(withdrawal) => {
                self.others_paid.push((budget, withdrawal));
                true
            }
            None => false,
        }
    }

    /// Whether this budget has paid, for itself or for one below it.
    fn has_paid(&self, budget: &Budget) -> bool {
        let others = self.others_paid.iter().map(|(paid, _)| *paid);
        self.own.into_iter().chain(others).any(|paid| paid.pays_with(budget))
    }

    fn withdraw_at(&mut self, price: Price) -> bool {
        let inner = self.inner;
        let paid =
            self.pay_own(price) && inner.iter().all(|(budget, price)| self.pay(budget, *price));
        if !paid {
            self.undo();
        }
        paid
    }

    /// One of the payers refused, so that nobody has paid.
    fn undo(&mut self) {
        let own = self.own.zip(self.own_paid.take());
        let others = std::mem::take(&mut self.others_paid);
        for (budget, withdrawal) in own.into_iter().chain(others) {
            budget.undo(withdrawal);
        }
    }
}

impl Purse for Payers<'_> {
    fn withdraw(&mut self, cost: u32) -> bool {
        self.withdraw_at(Price::retries(cost))
    }

    fn withdraw_for(&mut self, failure: &Classification) -> bool {
        self.withdraw_at(Price::after(failure))
    }
}

impl Call {
    /// The retry that was paid for will not start.
    pub(super) fn give_back(&mut self) {
        let own = self.budget();
        let Some(cold) = self.cold.as_mut() else { return };
        if let Some((budget, withdrawal)) = own.zip(cold.as_mut().project().paid.take()) {
            budget.give_back(withdrawal);
        }
        let others = cold.as_mut().known_rare().map(|rare| std::mem::take(&mut rare.paid_inner));
        for (budget, withdrawal) in others.into_iter().flatten() {
            budget.give_back(withdrawal);
        }
    }
}
