//! The budgets of the process.

use std::fmt;

use crate::{
    Bound, Budget, BudgetStats, Warning,
    budget::registry,
    clock, isolation,
    site::{BudgetRef, Site},
};

use super::{
    rows::{Named, named, named_row, readable_rows},
    text::{Table, write_warnings, write_wrapped},
};

/// One budget. From [`budgets`].
#[derive(Clone, Debug)]
pub struct BudgetRow(Named<Budget>);

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

    /// What it allows at most.
    #[must_use]
    pub fn bound(&self) -> Bound {
        self.0.holder.bound()
    }

    /// What was taken and refused under its name, also by budgets that answered to it before.
    #[must_use]
    pub fn stats(&self) -> BudgetStats {
        let budgets = self.0.others.iter().copied().chain([self.0.holder]);
        budgets.fold(BudgetStats::default(), |sum, budget| sum.plus(isolation::own(budget).stats()))
    }

    /// Whether the retries that it pays for are switched off.
    #[must_use]
    pub fn is_off(&self) -> bool {
        self.budget().is_off()
    }
}

/// All budgets that have a name, declared or implicit. Its `Display` is a table with their bounds, and
/// the warnings about budgets under it.
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
    Budgets(named(registry::all(), used_by).map(BudgetRow).collect())
}

readable_rows!(Budgets, BudgetRow);

impl fmt::Display for Budgets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table =
            Table::new(&["budget", "balance", "taken", "refused", "given back", "sites"]);
        for row in self {
            let stats = row.stats();
            let off = if row.is_off() { " OFF" } else { "" };
            table.row(vec![
                format!("{}{off}", row.title()),
                format!("{:.1}", row.balance()),
                stats.withdrawn.to_string(),
                stats.refused.to_string(),
                stats.given_back.to_string(),
                row.sites().len().to_string(),
            ]);
        }
        table.fmt(f)?;
        self.iter().try_for_each(|row| {
            f.write_str("\n\n")?;
            write_wrapped(f, "", &format!("{}: {}", row.name(), row.bound()))
        })?;
        write_warnings(f, Warning::is_of_a_budget)
    }
}
