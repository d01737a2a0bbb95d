//! A look at everything that is declared and used, for the start of `main`.

use std::fmt;

use crate::{BudgetRow, SiteRow, Warning, budgets, diagnostics::nearest, sites};

/// Something that is wrong.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Problem {
    /// A name in an attribute that no declaration answers to.
    ImplicitBudget {
        /// The name.
        name: String,
        /// The functions that name it.
        sites: Vec<String>,
        /// A declared budget whose name is similar.
        nearest: Option<String>,
    },
    /// Two declarations of one budget that differ.
    DifferingBudgets(Warning),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ImplicitBudget { name, sites, nearest } => {
                write!(f, "the budget `{name}` is declared nowhere: ")?;
                match nearest {
                    Some(near) => write!(f, "did you mean `{near}`?")?,
                    None => f.write_str("declare it with `budget!`")?,
                }
                write!(
                    f,
                    " (used by {})",
                    if sites.is_empty() {
                        "no linked function".to_owned()
                    } else {
                        sites.join(", ")
                    }
                )
            }
            Self::DifferingBudgets(warning) => warning.fmt(f),
        }
    }
}

/// Something that works and may be meant.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Note {
    /// A budget that no function names. One that is reached by an expression only looks like this too.
    UnusedBudget {
        /// Its name.
        name: String,
    },
    /// A budget that may amplify more than the limit of [`Verify::max_amplification`].
    Amplification {
        /// The budget's name.
        name: String,
        /// The most attempts for each answered call, in the long run.
        worst: f64,
        /// The limit.
        limit: f64,
    },
    /// Several functions that share a name; tables and switches tell them apart by `@file:line`.
    SharedName {
        /// The names with their places.
        sites: Vec<String>,
    },
    /// A warning that was kept since the process started.
    Warning(Warning),
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnusedBudget { name } => {
                write!(f, "the budget `{name}` is declared, and no function names it")
            }
            Self::Amplification { name, worst, limit } => {
                write!(
                    f,
                    "the budget `{name}` allows {worst:.2} attempts for each answered call, above the limit of {limit:.2}"
                )
            }
            Self::SharedName { sites } => {
                write!(f, "several functions share a name: {}", sites.join(", "))
            }
            Self::Warning(warning) => warning.fmt(f),
        }
    }
}

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

/// Checks the retries of the process at its start: every budget that a function names must be declared,
/// and no two declarations of a name may differ.
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
        for row in &budgets {
            let name = row.name().to_owned();
            if row.is_implicit() {
                problems.push(Problem::ImplicitBudget {
                    sites: row.sites().iter().map(|site| (*site).to_owned()).collect(),
                    nearest: nearest(&name, declared.iter().copied()).map(str::to_owned),
                    name,
                });
                continue;
            }
            let worst = row.bound().worst_amplification();
            if let Some(limit) = self.max_amplification.filter(|limit| worst > *limit) {
                notes.push(Note::Amplification { name: name.clone(), worst, limit });
            }
            if row.sites().is_empty() {
                notes.push(Note::UnusedBudget { name });
            }
        }
        let sites = sites();
        let namesakes = sites.chunk_by(|one, other| one.bare_name() == other.bare_name());
        let shared = namesakes.filter(|rows| rows.len() > 1);
        notes.extend(
            shared.map(|rows| Note::SharedName { sites: rows.iter().map(SiteRow::name).collect() }),
        );
        for warning in crate::warnings() {
            match warning {
                Warning::ImplicitBudget { .. } => {}
                Warning::DifferingBudgets { .. } => {
                    problems.push(Problem::DifferingBudgets(warning));
                }
                other => notes.push(Note::Warning(other)),
            }
        }
        if problems.is_empty() { Ok(notes) } else { Err(VerifyError { problems, notes }) }
    }
}
