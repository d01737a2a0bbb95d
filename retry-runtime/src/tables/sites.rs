//! The annotated functions of the process.

use std::fmt;

use crate::{
    Budget, Policy, StopReason, Warning, breaker,
    site::{self, BudgetRef, Count, OWN, Site},
};

use super::{
    rows::readable_rows,
    text::{Table, write_warnings},
};

/// One annotated function. From [`sites`].
#[derive(Clone, Debug)]
pub struct SiteRow {
    site: &'static Site,
    label: String,
}

impl SiteRow {
    /// Its name; with `@file:line` where several functions share one, and with `:column` where those
    /// stand in one line.
    #[must_use]
    pub fn name(&self) -> String {
        self.label.clone()
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
            BudgetRef::Own => Some(OWN),
            BudgetRef::Static(budget) => Some(budget.name()),
            BudgetRef::Named(name) => Some(name.name()),
            BudgetRef::None | BudgetRef::Given => None,
        }
    }

    /// The name of the breaker that its attempts ask; `None` for a function without one.
    #[must_use]
    pub fn breaker(&self) -> Option<&'static str> {
        breaker::used_by(self.site)
    }

    /// The budget that never sheds, though the function says `shed`.
    pub(crate) fn sheds_nothing(&self) -> Option<&'static Budget> {
        let budget = self.site.named_budget().filter(|_| self.site.is_shedding())?;
        (!budget.may_shed_upwards()).then_some(budget)
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

    /// Retries that started, hedges among them.
    #[must_use]
    pub fn retries(&self) -> u64 {
        self.count(Count::Retries)
    }

    /// Hedges: attempts that were started beside one that was slow.
    #[must_use]
    pub fn hedges(&self) -> u64 {
        self.count(Count::Hedges)
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

    /// Calls that ended in a panic of the body.
    #[must_use]
    pub fn panics(&self) -> u64 {
        self.count(Count::Panics)
    }

    /// Panics of its hooks, contained.
    #[must_use]
    pub fn hook_panics(&self) -> u64 {
        self.count(Count::HookPanics)
    }

    /// Whether it is a `blocking` function that was called inside an async runtime, where its waits hold
    /// up all tasks of the thread.
    #[must_use]
    pub fn blocks_runtime(&self) -> bool {
        self.site.state().blocks()
    }

    /// Whether its retries are switched off.
    #[must_use]
    pub fn is_off(&self) -> bool {
        crate::control::expire_now();
        self.site.state().is_off()
    }
}

/// All annotated functions that are linked into the process, by name. Its `Display` is a table, and the
/// warnings about functions under it.
#[derive(Clone, Debug)]
pub struct Sites(Vec<SiteRow>);

/// The annotated functions of the process, called or not.
///
/// ```
/// # use retry_runtime as stormless;
/// println!("{}", stormless::sites());
/// ```
#[must_use]
pub fn sites() -> Sites {
    let all = site::all();
    let labels = site::labels(&all);
    Sites(all.into_iter().zip(labels).map(|(site, label)| SiteRow { site, label }).collect())
}

readable_rows!(Sites, SiteRow);

impl fmt::Display for Sites {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Where nobody has one there is nothing to see.
        let breakers = self.iter().any(|row| row.breaker().is_some());
        let hedges = self.iter().any(|row| row.site.hedges().is_some());
        let mut head = vec!["site", "max attempts", "budget"];
        head.extend(breakers.then_some("breaker"));
        head.extend(["failures", "retries"]);
        head.extend(hedges.then_some("hedges"));
        head.extend(["recovered", "stopped"]);
        let mut table = Table::new(&head);
        for row in self {
            let stopped: Vec<String> = StopReason::ALL
                .iter()
                .map(|reason| (row.stops(*reason), reason.label()))
                .chain([
                    (row.panics(), "panicked"),
                    (row.lost_to_nesting(), "lost_to_nesting"),
                    (row.hook_panics(), "hooks_panicked"),
                ])
                .filter(|(count, _)| *count > 0)
                .map(|(count, what)| format!("{count} {what}"))
                .chain(row.blocks_runtime().then(|| "BLOCKS A RUNTIME".to_owned()))
                .chain(row.is_off().then(|| "OFF".to_owned()))
                .collect();
            let attempts = match row.policy().max_attempts() {
                _ if row.site.varies() => "varies".to_owned(),
                Some(attempts) => attempts.to_string(),
                None => "unlimited".to_owned(),
            };
            let mut cells = vec![row.name(), attempts, row.budget().unwrap_or("-").to_owned()];
            cells.extend(breakers.then(|| row.breaker().unwrap_or("-").to_owned()));
            cells.extend([row.failures().to_string(), row.retries().to_string()]);
            let own = || row.site.hedges().map_or("-".to_owned(), |_| row.hedges().to_string());
            cells.extend(hedges.then(own));
            cells.extend([
                row.recovered().to_string(),
                if stopped.is_empty() { "-".to_owned() } else { stopped.join(", ") },
            ]);
            table.row(cells);
        }
        table.fmt(f)?;
        write_warnings(f, Warning::is_of_a_site)
    }
}
