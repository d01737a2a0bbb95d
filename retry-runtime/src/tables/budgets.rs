//! The budgets of the process.

use std::fmt;

use crate::{
    Bound, Budget, BudgetStats, Warning,
    budget::registry::{self, Origin},
    clock, isolation,
    site::BudgetRef,
};

use super::{
    rows::{readable_rows, users},
    text::{Table, write_warnings, write_wrapped},
};

/// One budget. From [`budgets`].
#[derive(Clone, Debug)]
pub struct BudgetRow {
    budget: &'static Budget,
    others: Vec<&'static Budget>,
    origin: Origin,
    sites: Vec<&'static str>,
}

impl BudgetRow {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.budget.name()
    }

    /// The budget itself.
    #[must_use]
    pub fn budget(&self) -> &'static Budget {
        isolation::own(self.budget)
    }

    /// Whether no declaration answers to the name, so that it got the default bucket.
    #[must_use]
    pub const fn is_implicit(&self) -> bool {
        matches!(self.origin, Origin::Implicit)
    }

    /// The annotated functions that name it. Those that reach it by an expression are not known.
    #[must_use]
    pub fn sites(&self) -> &[&'static str] {
        &self.sites
    }

    /// The retries it holds now.
    #[must_use]
    pub fn balance(&self) -> f64 {
        self.budget().balance_at(clock::now())
    }

    /// What it allows at most.
    #[must_use]
    pub fn bound(&self) -> Bound {
        self.budget.bound()
    }

    /// What was taken and refused under its name, also by budgets that answered to it before.
    #[must_use]
    pub fn stats(&self) -> BudgetStats {
        let budgets = self.others.iter().copied().chain([self.budget]);
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
    let mut users = users(|site| match site.budget_ref() {
        BudgetRef::Static(budget) => Some(budget.name()),
        BudgetRef::Named(name) => Some(name.name()),
        BudgetRef::Own | BudgetRef::None | BudgetRef::Given => None,
    });
    let rows = registry::all().into_iter().map(|registered| BudgetRow {
        budget: registered.holder,
        others: registered.others,
        origin: registered.origin,
        sites: users.remove(registered.holder.name()).unwrap_or_default(),
    });
    Budgets(rows.collect())
}

impl Budgets {
    /// The row of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&BudgetRow> {
        self.0.iter().find(|row| row.name() == name)
    }
}

readable_rows!(Budgets, BudgetRow);

impl fmt::Display for Budgets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table =
            Table::new(&["budget", "balance", "taken", "refused", "given back", "sites"]);
        for row in self {
            let stats = row.stats();
            let implicit = if row.is_implicit() { " (implicit)" } else { "" };
            let off = if row.is_off() { " OFF" } else { "" };
            table.row(vec![
                format!("{}{implicit}{off}", row.name()),
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
