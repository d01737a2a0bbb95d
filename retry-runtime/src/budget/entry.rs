//! One name, and which of its budgets is in effect.

use super::registry::{Conflict, Origin};
use super::{Budget, BudgetSettings};

/// What the registry knows of one name.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) budget: &'static Budget,
    pub(super) origin: Origin,
    pub(super) others: Vec<&'static Budget>,
    /// Settings of declarations that are not in effect, without repetitions, tightest first.
    pub(super) differing: Vec<BudgetSettings>,
}

impl Entry {
    pub(super) const fn new(budget: &'static Budget, origin: Origin) -> Self {
        Self { budget, origin, others: Vec::new(), differing: Vec::new() }
    }

    /// Puts `budget`, which is new here, in effect. Whoever has found the old one follows its
    /// pointer; its off switch holds on.
    pub(super) fn supersede(&mut self, budget: &'static Budget) {
        let old = std::mem::replace(&mut self.budget, budget);
        self.others.push(old);
        let was_off = old.succession.hand_over(budget);
        debug_assert!(was_off.is_some(), "only the budget in effect is superseded");
        if was_off == Some(true) {
            budget.set_off_here(true);
        }
    }

    /// Lets `budget`, which is new here, lead to the one in effect. Switched off is switched off
    /// for the name.
    pub(super) fn stand_behind(&mut self, budget: &'static Budget) {
        self.others.push(budget);
        let was_off = budget.succession.hand_over(self.budget);
        debug_assert!(was_off.is_some(), "a budget is entered once");
        if was_off == Some(true) {
            self.budget.set_off_here(true);
        }
    }

    /// Remembers settings that are not in effect.
    pub(super) fn note_difference(&mut self, settings: BudgetSettings) {
        if !self.differing.contains(&settings) {
            self.differing.push(settings);
            self.differing.sort_by(BudgetSettings::by_tightness);
        }
    }

    /// Every budget of the name.
    pub(super) fn budgets(&self) -> impl Iterator<Item = &'static Budget> {
        std::iter::once(self.budget).chain(self.others.iter().copied())
    }

    pub(super) fn conflict(&self) -> Option<Conflict> {
        (!self.differing.is_empty()).then(|| Conflict {
            name: self.budget.name(),
            in_effect: self.budget.settings(),
            others: self.differing.clone(),
        })
    }
}
