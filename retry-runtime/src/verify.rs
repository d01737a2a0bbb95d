//! A look at everything that is declared and used, for the start of `main`.

mod found;

use std::fmt;

use crate::{
    BreakerRow, BudgetRow, SiteRow, Warning, breakers, budgets, diagnostics::nearest, sites, timer,
};

pub use found::{Note, Problem};

/// What [`verify`] found wrong, and what it noted besides.
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
/// must be declared, no two declarations of a name may differ, and there must be a [timer](crate::timer).
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
#[derive(Clone, Copy, Debug, Default)]
#[must_use = "nothing is verified until `run`"]
pub struct Verify {
    max_amplification: Option<f64>,
}

impl Verify {
    /// The checks of [`verify`].
    pub const fn new() -> Self {
        Self { max_amplification: None }
    }

    /// Also notes budgets whose worst amplification in the long run is above this: 1.1 means one retry
    /// for each ten answered calls.
    pub const fn max_amplification(mut self, limit: f64) -> Self {
        self.max_amplification = Some(limit);
        self
    }

    /// Looks at everything that is linked.
    ///
    /// # Errors
    ///
    /// As [`verify`] says.
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
            let worst = row.bound().worst_amplification();
            if let Some(limit) = self.max_amplification.filter(|limit| worst > *limit) {
                notes.push(Note::Amplification { name: name.clone(), worst, limit });
            }
            if row.sites().is_empty() && !parents.contains(&row.name()) {
                notes.push(Note::UnusedBudget { name });
            }
        }
        check_breakers(&mut problems, &mut notes);
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
