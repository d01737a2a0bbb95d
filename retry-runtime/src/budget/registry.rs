//! Which budget answers to which name in this process.
//!
//! One lock guards the table. It is taken when a name is used for the first time by a site, when a
//! budget is declared, and by tables; never by a call that has found its budget. What changes for
//! those calls afterwards is a pointer in the budget that they have found.

use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use super::entry::Entry;
use super::{Budget, BudgetSettings, DeclareError};
use crate::site::{self, BudgetRef};

/// A budget in a `static` that registers itself at link time; `budget!` submits it.
#[derive(Debug)]
pub struct BudgetEntry(pub &'static Budget);

inventory::collect!(BudgetEntry);

/// How a name came to its budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Origin {
    /// By `budget!`, [`Budget::declare`], or as a static in an attribute.
    Declared,
    /// Nobody declared the name: a default bucket stands in.
    Implicit,
}

/// A name and the budget that answers to it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Registered {
    /// The budget in effect.
    pub budget: &'static Budget,
    /// How it got here.
    pub origin: Origin,
    /// Budgets of this name that are not in effect. Their counts are part of the name's history.
    pub others: Vec<&'static Budget>,
}

/// A name that is declared with different settings.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Conflict {
    /// The name.
    pub name: &'static str,
    /// The tightest of its declarations, which is in effect.
    pub in_effect: BudgetSettings,
    /// The others, tightest first.
    pub others: Vec<BudgetSettings>,
}

#[derive(Default)]
struct Registry {
    names: BTreeMap<&'static str, Entry>,
}

static REGISTRY: LazyLock<Mutex<Registry>> = LazyLock::new(|| {
    let mut registry = Registry::default();
    for BudgetEntry(budget) in inventory::iter::<BudgetEntry> {
        registry.add(budget);
    }
    // A plain `static` that an attribute names is as good as one in `budget!`.
    for site in site::all() {
        if let BudgetRef::Static(budget) = site.budget_ref() {
            registry.add(budget);
        }
    }
    Mutex::new(registry)
});

fn lock() -> MutexGuard<'static, Registry> {
    // Nothing panics while it holds the lock; if something did, the table is still whole.
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads what registered itself at link time, if that has not happened; one load afterwards.
#[inline]
pub fn link() {
    LazyLock::force(&REGISTRY);
}

/// Takes note that a budget answers to its name, if it still does.
pub(super) fn publish_lead(budget: &'static Budget, id: u32) {
    let _registry = lock();
    budget.succession.publish(id);
}

/// The budget for a name, made up as a default bucket if nobody declared it.
pub fn resolve(name: &'static str) -> &'static Budget {
    let mut registry = lock();
    if let Some(entry) = registry.names.get(name) {
        return entry.budget;
    }
    let budget = leak(Budget::new(name));
    registry.names.insert(name, Entry::new(budget, Origin::Implicit));
    budget
}

/// This very budget, if it answers or once answered to its name.
#[cfg(feature = "testing")]
pub(crate) fn known(budget: &Budget) -> Option<&'static Budget> {
    let registry = lock();
    registry.names.get(budget.name())?.budgets().find(|known| std::ptr::eq(*known, budget))
}

/// Every name that is declared or that a linked function uses, called or not, in alphabetical order.
pub(crate) fn all() -> Vec<Registered> {
    for site in site::all() {
        if let BudgetRef::Named(name) = site.budget_ref() {
            name.resolve();
        }
    }
    snapshot()
}

/// Every name that was declared or used, in alphabetical order.
pub fn snapshot() -> Vec<Registered> {
    let registered = |entry: &Entry| Registered {
        budget: entry.budget,
        origin: entry.origin,
        others: entry.others.clone(),
    };
    lock().names.values().map(registered).collect()
}

/// Names that are in use and not declared, in alphabetical order.
pub fn implicit_names() -> Vec<&'static str> {
    let names = lock();
    let implicit = names.names.iter().filter(|(_, entry)| entry.origin == Origin::Implicit);
    implicit.map(|(name, _)| *name).collect()
}

/// Names that are declared with different settings, in alphabetical order.
pub fn conflicts() -> Vec<Conflict> {
    lock().names.values().filter_map(Entry::conflict).collect()
}

pub(super) fn declare(budget: Budget) -> Result<&'static Budget, DeclareError> {
    let mut registry = lock();
    let given = budget.settings();
    let Some(entry) = registry.names.get_mut(budget.name()) else {
        return Ok(registry.add(leak(budget)));
    };
    let (declared, current) = (entry.budget.settings(), entry.budget);
    if entry.origin == Origin::Implicit {
        return Ok(registry.add(leak(budget)));
    }
    if declared == given {
        return Ok(current);
    }
    if given.by_tightness(&declared).is_lt() {
        registry.add(leak(budget));
    } else {
        // Not leaked: a loop that declares it again and again must not fill the memory.
        entry.note_difference(given);
    }
    let (declared, given) = (Box::new(declared), Box::new(given));
    Err(DeclareError::Differs { name: current.name(), declared, given })
}

fn leak(budget: Budget) -> &'static Budget {
    Box::leak(Box::new(budget))
}

impl Registry {
    /// Enters a declared budget, whatever is there already.
    fn add(&mut self, budget: &'static Budget) -> &'static Budget {
        let Some(entry) = self.names.get_mut(budget.name()) else {
            self.names.insert(budget.name(), Entry::new(budget, Origin::Declared));
            return budget;
        };
        if entry.budgets().any(|known| std::ptr::eq(known, budget)) {
            return entry.budget;
        }
        if entry.origin == Origin::Implicit {
            entry.origin = Origin::Declared;
            entry.supersede(budget);
            return budget;
        }
        let (declared, given) = (entry.budget.settings(), budget.settings());
        let looser = if given.by_tightness(&declared).is_lt() {
            entry.supersede(budget);
            declared
        } else {
            // The same settings twice share one state too, or the bound would be twice as high.
            entry.stand_behind(budget);
            given
        };
        if declared != given {
            entry.note_difference(looser);
        }
        entry.budget
    }
}
