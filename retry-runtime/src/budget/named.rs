//! References to budgets by name.

use super::Budget;
use crate::names::NameRef;

/// One place that refers to a budget by name.
pub type NamedBudget = NameRef<Budget>;

impl NamedBudget {
    /// The budget that answers to the name: the declared one, or else a default bucket that all
    /// references to the undeclared name share. Never none, because a missing budget would be an
    /// unlimited one.
    pub fn resolve(&self) -> &'static Budget {
        self.found().current()
    }
}
