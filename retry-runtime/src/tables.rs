//! What there is in the process, and what has happened to it.

use std::{fmt, ops::Deref};

use crate::{
    Bound, Budget, BudgetStats, Policy, StopReason,
    budget::registry::{self, Origin},
    isolation,
    site::{self, BudgetRef, Count, Site},
};

/// One annotated function. From [`sites`].
#[derive(Clone, Debug)]
pub struct SiteRow {
    site: &'static Site,
    ambiguous: bool,
}

impl SiteRow {
    /// Its name; with `@file:line` where several functions share one.
    #[must_use]
    pub fn name(&self) -> String {
        if self.ambiguous {
            format!("{}@{}", self.site.name(), self.site.place())
        } else {
            self.site.name().to_owned()
        }
    }

    /// Its name without its place.
    pub(crate) const fn bare_name(&self) -> &'static str {
        self.site.name()
    }

    /// The policy in its attribute.
    pub const fn policy(&self) -> Policy {
        *self.site.policy()
    }

    /// The name of the budget that pays for its retries; `None` for `budget = none` and for budgets that
    /// are expressions.
    #[must_use]
    pub fn budget(&self) -> Option<&'static str> {
        match self.site.budget_ref() {
            BudgetRef::Own => Some("(own)"),
            BudgetRef::Static(budget) => Some(budget.name()),
            BudgetRef::Named(name) => Some(name.name()),
            BudgetRef::None | BudgetRef::Given => None,
        }
    }

    fn count(&self, count: Count) -> u64 {
        self.site.state().get(count)
    }

    /// Calls that have ended: those that failed, recovered, were dropped or panicked, and those that
    /// succeeded at once while [`count_successes`](crate::control::count_successes) was on.
    #[must_use]
    pub fn calls(&self) -> u64 {
        let stopped: u64 = StopReason::ALL.iter().map(|reason| self.stops(*reason)).sum();
        stopped
            + self.count(Count::Recovered)
            + self.count(Count::AtOnce)
            + self.count(Count::Panics)
    }

    /// Attempts that ended in a result, with the same reservation about successes at once.
    #[must_use]
    pub fn attempts(&self) -> u64 {
        self.failures() + self.count(Count::Recovered) + self.count(Count::AtOnce)
    }

    /// Attempts that failed.
    #[must_use]
    pub fn failures(&self) -> u64 {
        self.count(Count::Failures)
    }

    /// Retries that started.
    #[must_use]
    pub fn retries(&self) -> u64 {
        self.count(Count::Retries)
    }

    /// Calls that succeeded after a retry.
    #[must_use]
    pub fn recovered(&self) -> u64 {
        self.count(Count::Recovered)
    }

    /// Calls that stopped for this reason. For `BudgetExhausted` these are the refused retries.
    #[must_use]
    pub fn stops(&self, reason: StopReason) -> u64 {
        self.site.state().stops(reason)
    }

    /// Failures that neither this function nor the one around it retried.
    #[must_use]
    pub fn lost_to_nesting(&self) -> u64 {
        self.count(Count::LostToNesting)
    }

    /// Panics of its hooks, contained.
    #[must_use]
    pub fn hook_panics(&self) -> u64 {
        self.count(Count::HookPanics)
    }

    /// Whether its retries are switched off.
    #[must_use]
    pub fn is_off(&self) -> bool {
        self.site.state().is_off()
    }
}

/// All annotated functions that are linked into the process, by name. Its `Display` is a table.
#[derive(Clone, Debug)]
pub struct Sites(Vec<SiteRow>);

/// The annotated functions of the process, called or not.
///
/// ```
/// println!("{}", retry_runtime::sites());
/// ```
#[must_use]
pub fn sites() -> Sites {
    let all = site::all();
    let rows = all.iter().map(|site| {
        let ambiguous = all.iter().filter(|other| other.name() == site.name()).count() > 1;
        SiteRow { site, ambiguous }
    });
    Sites(rows.collect())
}

impl Sites {
    /// The row of this name, as the table shows it.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&SiteRow> {
        self.0.iter().find(|row| row.name() == name)
    }
}

impl Deref for Sites {
    type Target = [SiteRow];

    fn deref(&self) -> &[SiteRow] {
        &self.0
    }
}

impl fmt::Display for Sites {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = Table::new(&[
            "site",
            "max attempts",
            "budget",
            "failures",
            "retries",
            "recovered",
            "stopped",
        ]);
        for row in self.iter() {
            let stopped: Vec<String> = StopReason::ALL
                .iter()
                .filter(|reason| row.stops(**reason) > 0)
                .map(|reason| format!("{} {}", row.stops(*reason), reason.label()))
                .chain(
                    (row.lost_to_nesting() > 0)
                        .then(|| format!("{} lost_to_nesting", row.lost_to_nesting())),
                )
                .chain(row.is_off().then(|| "OFF".to_owned()))
                .collect();
            let attempts = match row.policy().max_attempts() {
                _ if row.site.is_per_type() => "per type".to_owned(),
                Some(attempts) => attempts.to_string(),
                None => "unlimited".to_owned(),
            };
            table.row(vec![
                row.name(),
                attempts,
                row.budget().unwrap_or("-").to_owned(),
                row.failures().to_string(),
                row.retries().to_string(),
                row.recovered().to_string(),
                if stopped.is_empty() { "-".to_owned() } else { stopped.join(", ") },
            ]);
        }
        table.fmt(f)
    }
}

/// One budget. From [`budgets`].
#[derive(Clone, Debug)]
pub struct BudgetRow {
    budget: &'static Budget,
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
        isolation::budget(self.budget)
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
        self.budget().balance()
    }

    /// What it allows at most.
    #[must_use]
    pub fn bound(&self) -> Bound {
        self.budget.bound()
    }

    /// What was taken from it and refused by it.
    #[must_use]
    pub fn stats(&self) -> BudgetStats {
        self.budget().stats()
    }

    /// Whether the retries that it pays for are switched off.
    #[must_use]
    pub fn is_off(&self) -> bool {
        self.budget().is_off()
    }
}

/// All budgets that have a name, declared or implicit. Its `Display` is a table with their bounds.
#[derive(Clone, Debug)]
pub struct Budgets(Vec<BudgetRow>);

/// The budgets of the process.
///
/// A crate that is linked but never named in code registers nothing, so its budgets are missing here.
///
/// ```
/// println!("{}", retry_runtime::budgets());
/// ```
#[must_use]
pub fn budgets() -> Budgets {
    let sites = site::all();
    // A site that has not run yet has not asked for its budget; it counts all the same.
    for site in &sites {
        if let BudgetRef::Named(name) = site.budget_ref() {
            name.resolve();
        }
    }
    let rows = registry::snapshot().into_iter().map(|registered| {
        let uses = |site: &&&'static Site| match site.budget_ref() {
            BudgetRef::Static(budget) => budget.name() == registered.budget.name(),
            BudgetRef::Named(name) => name.name() == registered.budget.name(),
            BudgetRef::Own | BudgetRef::None | BudgetRef::Given => false,
        };
        BudgetRow {
            budget: registered.budget,
            origin: registered.origin,
            sites: sites.iter().filter(uses).map(|site| site.name()).collect(),
        }
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

impl Deref for Budgets {
    type Target = [BudgetRow];

    fn deref(&self) -> &[BudgetRow] {
        &self.0
    }
}

impl fmt::Display for Budgets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table =
            Table::new(&["budget", "balance", "taken", "refused", "given back", "sites"]);
        for row in self.iter() {
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
            write_wrapped(f, &format!("{}: {}", row.name(), row.bound()))
        })
    }
}

/// Terminals are at least this wide where tables are read.
const COLUMNS: usize = 100;

/// A paragraph, broken between words.
fn write_wrapped(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    let mut column = 0;
    for word in text.split(' ') {
        let width = word.chars().count();
        if column == 0 {
            column = width;
        } else if column + 1 + width > COLUMNS {
            f.write_str("\n")?;
            column = width;
        } else {
            f.write_str(" ")?;
            column += 1 + width;
        }
        f.write_str(word)?;
    }
    Ok(())
}

/// Columns as wide as their widest cell.
struct Table(Vec<Vec<String>>);

impl Table {
    fn new(head: &[&str]) -> Self {
        Self(vec![head.iter().map(|cell| (*cell).to_owned()).collect()])
    }

    fn row(&mut self, cells: Vec<String>) {
        self.0.push(cells);
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.0.first().map_or(0, Vec::len);
        let width =
            |column: usize| self.0.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns).map(width).collect();
        for (number, row) in self.0.iter().enumerate() {
            let line: Vec<String> =
                row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
            let line = line.join("  ");
            if number > 0 {
                writeln!(f)?;
            }
            f.write_str(line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Wrapped<'a>(&'a str);

    impl fmt::Display for Wrapped<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write_wrapped(f, self.0)
        }
    }

    #[test]
    fn paragraphs_break_between_words_at_the_last_that_fits() {
        let half = "x".repeat(COLUMNS / 2);
        let rest = "y".repeat(COLUMNS - half.len() - 1);
        let long = "z".repeat(COLUMNS + 1);
        for (text, wrapped) in [
            (format!("{half} {rest}"), format!("{half} {rest}")),
            (format!("{half} {rest}y"), format!("{half}\n{rest}y")),
            (format!("{half} {rest} a b"), format!("{half} {rest}\na b")),
            (format!("a {long} b"), format!("a\n{long}\nb")),
        ] {
            assert_eq!(Wrapped(&text).to_string(), wrapped);
        }
    }
}
