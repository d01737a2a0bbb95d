//! The budgets of the process.

use std::fmt;

use crate::{
    Bound, Budget, BudgetSettings, BudgetStats, NextRetry, Warning,
    budget::registry,
    clock,
    control::{Effect, effect},
    isolation,
    site::{BudgetRef, Site},
};

use super::{
    rows::{Named, in_force, named, named_row, readable_rows},
    text::{Table, write_below, write_effects, write_warnings, write_wrapped},
};

/// One budget. From [`budgets`].
///
/// ```standalone_crate
/// # use retry_runtime as stormless;
/// use stormless::{Budget, BudgetRow, NextRetry, budget, budgets};
///
/// budget! { static ORDERS: Budget = Budget::new("orders").burst(20); }
///
/// let table = budgets();
/// let row: &BudgetRow = table.get("orders").unwrap();
/// assert_eq!((row.name(), row.balance(), row.capacity()), ("orders", 20.0, 20.0));
/// assert_eq!((row.next_retry(), row.parent()), (NextRetry::Now, None));
/// assert_eq!((row.settings(), row.stats().withdrawn), (row.declared_settings(), 0));
/// assert!(!row.is_implicit() && !row.is_off() && !row.is_observing());
/// assert!(row.overrides().is_empty() && row.sites().is_empty());
/// println!("{}", row.bound());
/// assert!(std::ptr::eq(row.budget(), &ORDERS));
/// ```
#[derive(Clone, Debug)]
pub struct BudgetRow(Named<Budget>, u32);

named_row!(BudgetRow);

impl BudgetRow {
    /// The budget itself.
    #[must_use]
    pub fn budget(&self) -> &'static Budget {
        isolation::own(self.0.holder)
    }

    /// The retries it holds now.
    #[must_use]
    pub fn balance(&self) -> f64 {
        self.budget().balance_at(clock::now())
    }

    /// The most retries that the balance can come to with the traffic of now.
    #[must_use]
    pub fn capacity(&self) -> f64 {
        self.budget().capacity(clock::now())
    }

    /// What has to happen before it grants the next retry.
    #[must_use]
    pub fn next_retry(&self) -> NextRetry {
        self.budget().next_retry(clock::now())
    }

    /// Its kind and its numbers, as they are in force.
    #[must_use]
    pub fn settings(&self) -> BudgetSettings {
        self.budget().settings()
    }

    /// The same as they were declared, whatever is overridden.
    #[must_use]
    pub fn declared_settings(&self) -> BudgetSettings {
        self.budget().declared_settings()
    }

    /// The overrides that change anything about it, the strongest first, each with what it changes here.
    #[must_use]
    pub fn overrides(&self) -> Vec<Effect> {
        effect::of_budget(self.budget())
    }

    /// Whether an override does more than to switch it off.
    pub(super) fn is_changed(&self) -> bool {
        self.overrides().iter().any(Effect::changes_numbers)
    }

    /// The name of the budget above it, which pays too.
    #[must_use]
    pub fn parent(&self) -> Option<&'static str> {
        self.settings().options().parent
    }

    /// What it allows at most, in as many processes as the [table](Budgets::for_processes) is for.
    #[must_use]
    pub fn bound(&self) -> Bound {
        self.budget().bound().for_processes(self.1)
    }

    /// What was taken and refused under its name, also by budgets that answered to it before.
    #[must_use]
    pub fn stats(&self) -> BudgetStats {
        let budgets = self.0.others.iter().copied().chain([self.0.holder]);
        budgets.fold(BudgetStats::default(), |sum, budget| sum.plus(isolation::own(budget).stats()))
    }

    /// Whether it refuses nothing, and only counts what it would.
    #[must_use]
    pub const fn is_observing(&self) -> bool {
        self.0.holder.is_observing()
    }

    /// Whether the retries that it pays for are switched off.
    #[must_use]
    pub fn is_off(&self) -> bool {
        self.budget().is_off()
    }

    /// What there is no room for in a line of the table.
    fn details(&self) -> String {
        let (settings, next) = (self.settings(), self.next_retry());
        let (balance, capacity, kind) = (self.balance(), self.capacity(), settings.kind());
        let used_by = match self.sites() {
            [] => "nobody that is known".to_owned(),
            sites => sites.join(", "),
        };
        let settings = in_force(&settings, &self.declared_settings());
        format!(
            "{balance:.1} of {capacity:.1}, next retry {next}; {kind} with {settings}; used by {used_by}"
        )
    }
}

/// All budgets that have a name, declared or implicit. Its `Display` is a table with their bounds, and
/// the warnings about budgets under it; `{:#}` says more about each.
///
/// ```standalone_crate
/// # use retry_runtime as stormless;
/// use stormless::{Budget, Budgets, budget, budgets};
///
/// budget! { static ORDERS: Budget = Budget::new("orders"); }
///
/// let table: Budgets = budgets();
/// assert_eq!(table.get("orders").map(|row| row.balance()), Some(10.0));
/// println!("{table:#}");
/// # assert_eq!(ORDERS.balance(), 10.0);
/// ```
#[derive(Clone, Debug)]
pub struct Budgets(Vec<BudgetRow>);

/// The budgets of the process.
///
/// A crate that is linked but never named in code registers nothing, so its budgets are missing here.
///
/// ```
/// # use retry_runtime as stormless;
/// println!("{}", stormless::budgets());
/// ```
#[must_use]
pub fn budgets() -> Budgets {
    let used_by = |site: &'static Site| match site.budget_ref() {
        BudgetRef::Static(budget) => Some(budget.name()),
        BudgetRef::Named(name) => Some(name.name()),
        BudgetRef::Own | BudgetRef::None | BudgetRef::Given => None,
    };
    Budgets(named(registry::all(), used_by).map(|named| BudgetRow(named, 1)).collect())
}

impl Budgets {
    /// The same table with the bounds of so many processes, each with budgets of its own. Zero acts like
    /// one.
    ///
    /// ```standalone_crate
    /// # use retry_runtime as stormless;
    /// use stormless::{Budget, budget, budgets};
    ///
    /// budget! { static ORDERS: Budget = Budget::new("orders").burst(10); }
    ///
    /// let fleet = budgets().for_processes(50);
    /// assert_eq!(fleet.get("orders").unwrap().bound().burst(), Some(500.0));
    /// # assert_eq!(ORDERS.balance(), 10.0);
    /// ```
    #[must_use]
    pub fn for_processes(mut self, processes: u32) -> Self {
        for row in &mut self.0 {
            row.1 = processes.max(1);
        }
        self
    }
}

readable_rows!(Budgets, BudgetRow);

impl fmt::Display for Budgets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table =
            Table::new(&["budget", "balance", "taken", "refused", "given back", "sites"]);
        for row in self {
            let stats = row.stats();
            let off = if row.is_off() { " OFF" } else { "" };
            let changed = if row.is_changed() { " OVERRIDDEN" } else { "" };
            let (observing, refused) = if row.is_observing() {
                (" (observing)", format!("would {}", stats.would_refuse))
            } else {
                ("", stats.refused.to_string())
            };
            table.row(vec![
                format!("{}{observing}{off}{changed}", row.title()),
                format!("{:.1}", row.balance()),
                stats.withdrawn.to_string(),
                refused,
                stats.given_back.to_string(),
                row.sites().len().to_string(),
            ]);
        }
        table.fmt(f)?;
        self.iter().try_for_each(|row| {
            f.write_str("\n\n")?;
            write_wrapped(f, "", &format!("{}: {}", row.name(), row.bound()))?;
            if f.alternate() {
                write_below(f, "  ", &row.details())?;
            }
            write_effects(f, &row.overrides())
        })?;
        write_warnings(f, Warning::is_of_a_budget)
    }
}
