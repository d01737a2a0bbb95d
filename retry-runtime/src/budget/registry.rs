//! Which budget answers to which name in this process.

use std::sync::LazyLock;

use super::{Budget, BudgetSettings};
use crate::ConfigError;
use crate::names::{
    self, Shared, Succession,
    registry::{Registry, Table},
};
use crate::site::{self, BudgetRef};
use crate::watch;

pub use crate::names::Origin;

/// A budget in a `static` that registers itself at link time; `budget!` submits it.
#[derive(Debug)]
pub struct BudgetEntry(pub &'static Budget);

inventory::collect!(BudgetEntry);

/// A name and the budget that answers to it.
pub type Registered = names::Registered<Budget>;

/// A name that is declared with different settings.
pub type Conflict = names::Conflict<BudgetSettings>;

static REGISTRY: Table<Budget> = LazyLock::new(Registry::linked);

impl Shared for Budget {
    type Settings = BudgetSettings;

    fn table() -> &'static Table<Self> {
        &REGISTRY
    }
    fn linked() -> Vec<&'static Self> {
        let declared = inventory::iter::<BudgetEntry>.into_iter().map(|entry| entry.0);
        // A plain `static` that an attribute names is as good as one in `budget!`.
        let named = site::every().filter_map(|site| match site.budget_ref() {
            BudgetRef::Static(budget) => Some(budget),
            _ => None,
        });
        declared.chain(named).collect()
    }
    fn stand_in(name: &'static str) -> Self {
        Self::new(name)
    }
    #[cfg(feature = "testing")]
    fn fresh_copy(&self) -> Self {
        self.fresh_copy()
    }
    fn name(&self) -> &str {
        self.name()
    }
    fn id(&self) -> u32 {
        self.id()
    }
    fn settings(&self) -> BudgetSettings {
        self.settings()
    }
    fn fault(&self) -> Option<ConfigError> {
        self.fault
    }
    fn succession(&self) -> &Succession<Self> {
        &self.succession
    }
    fn inherit_switch(&self) {
        self.set_off_here(true);
    }
    fn is_found_by_lead(&self) -> bool {
        !self.wants_begins() && !watch::is_wanted()
    }
}

/// Every name that is declared or that a linked function uses, called or not, in alphabetical order.
pub(crate) fn all() -> Vec<Registered> {
    for site in site::every() {
        if let BudgetRef::Named(name) = site.budget_ref() {
            name.resolve();
        }
    }
    snapshot()
}

/// Every name that was declared or used, in alphabetical order.
pub fn snapshot() -> Vec<Registered> {
    names::registry::snapshot()
}

/// Names that are in use and not declared, in alphabetical order.
pub fn implicit_names() -> Vec<&'static str> {
    names::registry::implicit_names::<Budget>()
}

/// Names that are declared with different settings, in alphabetical order.
pub fn conflicts() -> Vec<Conflict> {
    names::registry::conflicts::<Budget>()
}
