//! A look at everything that is declared and used, for the start of `main`.

mod found;
mod overrides;
mod parents;

use std::fmt;

use crate::{
    BreakerRow, BudgetRow, SiteRow, Warning, breakers, budgets, diagnostics::nearest, sites, timer,
};

pub use found::{Note, Problem};

/// What [`verify`] found wrong, and what it noted besides.
///
/// ```standalone_crate
/// # use retry_runtime as stormless;
/// if let Err(error) = stormless::verify() {
///     for problem in error.problems() {
///         eprintln!("{problem}");
///     }
///     println!("{} notes besides", error.notes().len());
/// }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct VerifyError {
    problems: Vec<Problem>,
    notes: Vec<Note>,
}

impl VerifyError {
    /// What is wrong.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// What may be meant.
    #[must_use]
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.problems.iter().map(ToString::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for VerifyError {}

/// Checks the retries of the process at its start: every budget and breaker that a function names
/// must be declared, no two declarations of a name may differ, no budget may be above itself, each
/// [override](crate::control) must be about something that there is, and there must be a
/// [timer](crate::timer).
///
/// ```standalone_crate
/// # use retry_runtime as stormless;
/// fn main() -> Result<(), stormless::VerifyError> {
///     for note in stormless::verify()? {
///         eprintln!("note: {note}");
///     }
///     Ok(())
/// }
/// ```
///
/// # Errors
///
/// Everything that is wrong, with the remedy. Without an error, the notes.
pub fn verify() -> Result<Vec<Note>, VerifyError> {
    Verify::new().run()
}

/// [`verify`] with limits of your own.
///
/// ```standalone_crate
/// # use retry_runtime as stormless;
/// use stormless::{Budget, Note, Verify, budget};
///
/// budget! { static ORDERS: Budget = Budget::new("orders").burst(100); }
///
/// let notes = Verify::new().processes(50).max_burst(1_000.0).run().unwrap();
/// assert!(notes.iter().any(|note| note.to_string().contains("orders")));
/// # assert_eq!(ORDERS.balance(), 100.0);
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use = "nothing is verified until `run`"]
pub struct Verify {
    max_amplification: Option<f64>,
    max_burst: Option<f64>,
    processes: u32,
}

impl Verify {
    /// The checks of [`verify`].
    ///
    /// ```standalone_crate
    /// # use retry_runtime as stormless;
    /// use stormless::Verify;
    ///
    /// assert!(Verify::new().run().is_ok());
    /// ```
    pub const fn new() -> Self {
        Self { max_amplification: None, max_burst: None, processes: 1 }
    }

    /// Also notes budgets whose worst amplification in the long run is above this: 1.1 means one retry
    /// for each ten answered calls. NaN notes nothing.
    ///
    /// ```standalone_crate
    /// # use retry_runtime as stormless;
    /// use stormless::{Budget, Verify, budget};
    ///
    /// budget! { static ORDERS: Budget = Budget::new("orders").ratio(0.5); }
    ///
    /// let notes = Verify::new().max_amplification(1.2).run().unwrap();
    /// assert!(notes.iter().any(|note| note.to_string().contains("orders")));
    /// # assert_eq!(ORDERS.balance(), 10.0);
    /// ```
    pub const fn max_amplification(mut self, limit: f64) -> Self {
        self.max_amplification = Some(limit);
        self
    }

    /// Also notes budgets that can grant more retries than this, over all [`processes`](Self::processes),
    /// while nothing is answered; of a sliding window, those that its ratio does not limit.
    ///
    /// ```standalone_crate
    /// # use retry_runtime as stormless;
    /// use stormless::{Budget, Verify, budget};
    ///
    /// budget! { static ORDERS: Budget = Budget::new("orders").burst(500); }
    ///
    /// let notes = Verify::new().max_burst(100.0).run().unwrap();
    /// assert!(notes.iter().any(|note| note.to_string().contains("orders")));
    /// # assert_eq!(ORDERS.balance(), 500.0);
    /// ```
    pub const fn max_burst(mut self, retries: f64) -> Self {
        self.max_burst = Some(retries);
        self
    }

    /// The limits are for this many processes, each with budgets of its own; 1 where nothing is said. Zero
    /// acts like one.
    ///
    /// ```standalone_crate
    /// # use retry_runtime as stormless;
    /// use stormless::{Budget, Verify, budget};
    ///
    /// budget! { static ORDERS: Budget = Budget::new("orders").burst(10); }
    ///
    /// // Ten retries are few, those of a hundred processes are not.
    /// let notes = Verify::new().processes(100).max_burst(500.0).run().unwrap();
    /// assert!(notes.iter().any(|note| note.to_string().contains("orders")));
    /// # assert_eq!(ORDERS.balance(), 10.0);
    /// ```
    pub const fn processes(mut self, processes: u32) -> Self {
        self.processes = processes;
        self
    }

    /// The notes about what a budget allows.
    fn check_bound(self, row: &BudgetRow, notes: &mut Vec<Note>) {
        let name = || row.name().to_owned();
        let bound = row.bound().for_processes(self.processes);
        let worst = bound.worst_amplification();
        if let Some(limit) = self.max_amplification.filter(|limit| worst > *limit) {
            notes.push(Note::Amplification { name: name(), worst, limit });
        }
        #[expect(clippy::cast_precision_loss, reason = "above 2^53 every limit is passed")]
        let burst = bound.burst().unwrap_or(bound.exempt() as f64);
        if let Some(limit) = self.max_burst.filter(|limit| burst > *limit) {
            let processes = bound.processes();
            notes.push(Note::Burst { name: name(), burst, limit, processes });
        }
    }

    /// Looks at everything that is linked.
    ///
    /// # Errors
    ///
    /// As [`verify`] says.
    ///
    /// ```standalone_crate
    /// # use retry_runtime as stormless;
    /// use stormless::Verify;
    ///
    /// for note in Verify::new().max_amplification(1.2).run()? {
    ///     eprintln!("note: {note}");
    /// }
    /// # Ok::<(), stormless::VerifyError>(())
    /// ```
    pub fn run(self) -> Result<Vec<Note>, VerifyError> {
        let mut problems = Vec::new();
        let mut notes = Vec::new();
        let budgets = budgets();
        let declared: Vec<&str> =
            budgets.iter().filter(|row| !row.is_implicit()).map(BudgetRow::name).collect();
        let parents: Vec<&str> =
            budgets.iter().filter_map(|row| row.budget().name_above()).collect();
        for row in &budgets {
            let name = row.name().to_owned();
            if row.is_implicit() {
                let (sites, nearest) = users_and_nearest(&name, row.sites(), &declared);
                problems.push(Problem::ImplicitBudget { name, sites, nearest });
                continue;
            }
            self.check_bound(row, &mut notes);
            if row.sites().is_empty() && !parents.contains(&row.name()) {
                notes.push(Note::UnusedBudget { name });
            }
        }
        parents::check(&budgets, &mut problems);
        check_breakers(&mut problems, &mut notes);
        overrides::check(&mut problems, &mut notes);
        let sites = sites();
        if timer::is_missing() && !sites.is_empty() {
            problems.push(Problem::NoTimer);
        }
        notes.extend(sites.iter().filter_map(|row| {
            let budget = row.sheds_nothing()?.name().to_owned();
            Some(Note::ShedsNothing { site: row.name(), budget })
        }));
        let namesakes = sites.chunk_by(|one, other| one.bare_name() == other.bare_name());
        let shared = namesakes.filter(|rows| rows.len() > 1);
        notes.extend(
            shared.map(|rows| Note::SharedName { sites: rows.iter().map(SiteRow::name).collect() }),
        );
        for warning in crate::warnings() {
            match warning {
                Warning::ImplicitBudget { .. } | Warning::ImplicitBreaker { .. } => {}
                Warning::DifferingBudgets { .. } => {
                    problems.push(Problem::DifferingBudgets(warning));
                }
                Warning::DifferingBreakers { .. } => {
                    problems.push(Problem::DifferingBreakers(warning));
                }
                other => notes.push(Note::Warning(other)),
            }
        }
        if problems.is_empty() { Ok(notes) } else { Err(VerifyError { problems, notes }) }
    }
}

impl Default for Verify {
    fn default() -> Self {
        Self::new()
    }
}

fn check_breakers(problems: &mut Vec<Problem>, notes: &mut Vec<Note>) {
    let breakers = breakers();
    let declared: Vec<&str> =
        breakers.iter().filter(|row| !row.is_implicit()).map(BreakerRow::name).collect();
    for row in &breakers {
        let name = row.name().to_owned();
        if row.is_implicit() {
            let (sites, nearest) = users_and_nearest(&name, row.sites(), &declared);
            problems.push(Problem::ImplicitBreaker { name, sites, nearest });
        } else if row.sites().is_empty() {
            notes.push(Note::UnusedBreaker { name });
        }
    }
}

/// Who names what nobody declared, and what may have been meant.
fn users_and_nearest(
    name: &str,
    sites: &[&str],
    declared: &[&str],
) -> (Vec<String>, Option<String>) {
    let sites = sites.iter().map(|site| (*site).to_owned()).collect();
    (sites, nearest(name, declared.iter().copied()).map(str::to_owned))
}
