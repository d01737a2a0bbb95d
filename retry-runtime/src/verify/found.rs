//! What can be wrong, and what is worth a note.

use std::fmt;

use crate::{
    ConfigError, Warning,
    control::{Layer, Target},
};

/// Something that is wrong.
///
/// ```standalone_crate
/// # use retry_runtime as stormless;
/// use stormless::{Policy, Problem};
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// let fetch = async || Err::<(), _>(std::io::Error::from(std::io::ErrorKind::ConnectionRefused));
/// let _error = Policy::new().run(fetch).budget("oders").await; // meant: "orders"
/// let error = stormless::verify().unwrap_err();
/// assert!(matches!(&error.problems()[0], Problem::ImplicitBudget { name, .. } if name == "oders"));
/// # }
/// ```
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
    /// A name in an attribute that no declaration of a breaker answers to.
    ImplicitBreaker {
        /// The name.
        name: String,
        /// The functions that name it.
        sites: Vec<String>,
        /// A declared breaker whose name is similar.
        nearest: Option<String>,
    },
    /// Two declarations of one breaker that differ.
    DifferingBreakers(Warning),
    /// An override of something that nobody has the name of. It waits for one who does.
    UnmatchedOverride {
        /// Whom it is about.
        target: Target,
        /// Where it comes from.
        layer: Layer,
        /// The most similar name there is.
        nearest: Option<String>,
    },
    /// An override of a name that several sites have by now.
    AmbiguousOverride {
        /// Whom it is about.
        target: Target,
        /// Where it comes from.
        layer: Layer,
        /// The names with their places.
        sites: Vec<String>,
    },
    /// Budgets that are above themselves, and so refuse every retry.
    CircleOfBudgets {
        /// Their names, each below the next, and the last below the first.
        budgets: Vec<String>,
    },
    /// A budget that refuses every retry, because it cannot work.
    FaultyBudget {
        /// The budget's name.
        name: String,
        /// What is wrong with it.
        fault: ConfigError,
    },
    /// There is nothing to wait with: no feature of a timer is on, and none was installed so far.
    NoTimer,
}

/// Of a name that nobody declared.
fn write_implicit(
    f: &mut fmt::Formatter<'_>,
    kind: &str,
    name: &str,
    sites: &[String],
    nearest: Option<&str>,
) -> fmt::Result {
    write!(f, "the {kind} `{name}` is declared nowhere: ")?;
    match nearest {
        Some(near) => write!(f, "did you mean `{near}`?")?,
        None => write!(f, "declare it with `{kind}!`")?,
    }
    let sites = if sites.is_empty() { "no linked function".to_owned() } else { sites.join(", ") };
    write!(f, " (used by {sites})")
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ImplicitBudget { name, sites, nearest } => {
                write_implicit(f, "budget", name, sites, nearest.as_deref())
            }
            Self::ImplicitBreaker { name, sites, nearest } => {
                write_implicit(f, "breaker", name, sites, nearest.as_deref())
            }
            Self::UnmatchedOverride { target, layer, nearest } => {
                write!(f, "an override of the layer `{layer}` is about {target}, which nothing is named: ")?;
                match nearest {
                    Some(near) => write!(f, "did you mean `{near}`?"),
                    None => f.write_str("mend the name, or take it away"),
                }
            }
            Self::AmbiguousOverride { target, layer, sites } => write!(
                f,
                "an override of the layer `{layer}` is about {target}, and several have that name: say which of {}",
                sites.join(", ")
            ),
            Self::CircleOfBudgets { budgets } => match budgets.as_slice() {
                [own] => write!(f, "the budget `{own}` is its own parent: take the parent away"),
                _ => write!(
                    f,
                    "the budgets `{}` are parents of one another in a circle: take one of the parents away",
                    budgets.join("`, `")
                ),
            },
            Self::FaultyBudget { name, fault } => {
                write!(f, "the budget `{name}` refuses every retry: {fault}")
            }
            Self::NoTimer => f.write_str(
                "there is no timer to wait with: switch on a timer's feature, or call `timer::install` before",
            ),
            Self::DifferingBudgets(warning) | Self::DifferingBreakers(warning) => warning.fmt(f),
        }
    }
}

/// Something that works and may be meant.
///
/// ```standalone_crate
/// # use retry_runtime as stormless;
/// use stormless::{Budget, Note, budget};
///
/// budget! { static SPARE: Budget = Budget::new("spare"); }
///
/// let notes = stormless::verify().unwrap();
/// assert!(notes.contains(&Note::UnusedBudget { name: "spare".to_owned() }));
/// # assert_eq!(SPARE.balance(), 10.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Note {
    /// A budget that no function names. One that is reached by an expression only looks like this too.
    UnusedBudget {
        /// Its name.
        name: String,
    },
    /// A breaker that no function names. One that is asked by hand only looks like this too.
    UnusedBreaker {
        /// Its name.
        name: String,
    },
    /// A budget that may amplify more than the limit of [`Verify::max_amplification`](crate::Verify::max_amplification).
    Amplification {
        /// The budget's name.
        name: String,
        /// The most attempts for each answered call, in the long run.
        worst: f64,
        /// The limit.
        limit: f64,
    },
    /// A budget that may grant more at once than the limit of [`Verify::max_burst`](crate::Verify::max_burst).
    Burst {
        /// The budget's name.
        name: String,
        /// The most retries, over all processes, while nothing is answered.
        burst: f64,
        /// The limit.
        limit: f64,
        /// How many processes.
        processes: u32,
    },
    /// A site that cannot honour what an override of many sites says.
    OverrideLeftOut {
        /// Whom the override is about.
        target: Target,
        /// Where it comes from.
        layer: Layer,
        /// The site.
        site: String,
        /// The key.
        key: &'static str,
        /// Why.
        reason: &'static str,
    },
    /// A label in the `stop` of an override that no failure has carried so far.
    UnseenLabel {
        /// Whom the override is about.
        target: Target,
        /// Where it comes from.
        layer: Layer,
        /// The label.
        label: String,
    },
    /// A function with `shed` whose budget never sheds, so that the word has no effect.
    ShedsNothing {
        /// The function.
        site: String,
        /// The budget's name.
        budget: String,
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
            Self::UnusedBreaker { name } => {
                write!(f, "the breaker `{name}` is declared, and no function names it")
            }
            Self::Amplification { name, worst, limit } => {
                write!(
                    f,
                    "the budget `{name}` allows {worst:.2} attempts for each answered call, above the limit of {limit:.2}"
                )
            }
            Self::Burst { name, burst, limit, processes } => {
                write!(f, "the budget `{name}` allows {burst:.0} retries at once")?;
                if *processes > 1 {
                    write!(f, " over {processes} processes")?;
                }
                write!(f, ", above the limit of {limit:.0}")
            }
            Self::OverrideLeftOut { target, layer, site, key, reason } => write!(
                f,
                "`{site}` does without `{key}` of the override of {target} in the layer `{layer}`: {reason}"
            ),
            Self::UnseenLabel { target, layer, label } => write!(
                f,
                "no failure has carried the label `{label}` so far, which an override of {target} in the layer `{layer}` stops"
            ),
            Self::ShedsNothing { site, budget } => {
                write!(f, "`{site}` says `shed`, and the budget `{budget}` never sheds anything")
            }
            Self::SharedName { sites } => {
                write!(f, "several functions share a name: {}", sites.join(", "))
            }
            Self::Warning(warning) => warning.fmt(f),
        }
    }
}
