//! Which of the attempts that ran side by side counts, and what becomes of what the others were paid with.

use crate::{Budget, Withdrawal, side};

use super::Call;

impl Call {
    /// Of all attempts of the round, this one's end is the call's, or decides what follows.
    pub(super) fn settle_on(&mut self, number: u32) {
        let started = self.started();
        if started == self.ambient.attempt() {
            return;
        }
        self.settle_among(number, started);
    }

    #[cold]
    fn settle_among(&mut self, number: u32, started: u32) {
        side::keep_attempt(self.ambient.call(), number);
        let paid = self.take_paid(number);
        if let Some(budget) = self.budget() {
            if number != self.ambient.attempt() {
                budget.release(self.take_paid(self.ambient.attempt()));
            }
            self.release_beside(budget);
        }
        *self.heat().project().paid = paid;
        self.ambient =
            if number == self.ambient.attempt() { self.ambient } else { self.beside(number) };
        self.heat().rare().beside = started.saturating_sub(number);
    }

    /// What this attempt in flight was paid with.
    pub(super) fn take_paid(&mut self, number: u32) -> Option<Withdrawal> {
        let first = self.ambient.attempt();
        let mut cold = self.cold.as_mut()?.as_mut();
        if number == first {
            return cold.project().paid.take();
        }
        let beside = &mut cold.as_mut().known_rare()?.paid_beside;
        let mut taken = None;
        for (other, paid) in std::mem::take(beside) {
            if other == number { taken = Some(paid) } else { beside.push((other, paid)) }
        }
        taken
    }

    /// Attempts beside the one that counts are not in flight any more.
    pub(super) fn release_beside(&mut self, budget: &Budget) {
        let rare = self.cold.as_mut().and_then(|cold| cold.as_mut().known_rare());
        let beside = rare.map(|rare| std::mem::take(&mut rare.paid_beside));
        for (_, paid) in beside.into_iter().flatten() {
            budget.release(Some(paid));
        }
    }

    /// Drops an attempt that took too long while others are in flight. What it owes for calls inside it is
    /// not owed: nothing is to repeat it but what is in flight already.
    pub(super) fn dropping_beside(&mut self, attempt: &mut dyn FnMut()) {
        self.begin_dropping();
        attempt();
        self.end_dropping();
    }
}
