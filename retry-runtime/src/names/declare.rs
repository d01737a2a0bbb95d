//! Declarations at run time, and why one was not taken as it is.

use std::fmt;

use super::{Settings, Shared, registry};
use crate::{BudgetSettings, ConfigError};

/// Why a declaration was not taken as it is.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Budget, DeclareError};
///
/// let faulty = Budget::dynamic("orders").burst(0).declare();
/// assert!(matches!(faulty, Err(DeclareError::Faulty { .. })));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum DeclareError<S = BudgetSettings> {
    /// A setting cannot be honoured; nothing was declared.
    #[non_exhaustive]
    Faulty {
        /// The name.
        name: String,
        /// The setting.
        fault: ConfigError,
    },
    /// The name is declared already, with other settings. The tighter of the two is in effect from
    /// the next call on: the budget with the smaller steady share, then the smaller burst; the
    /// breaker that opens sooner.
    #[non_exhaustive]
    Differs {
        /// The name of both.
        name: &'static str,
        /// The settings that were in effect before.
        declared: Box<S>,
        /// The settings that were given now.
        given: Box<S>,
    },
}

impl<S: Settings> fmt::Display for DeclareError<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = S::KIND;
        match self {
            Self::Faulty { name, fault } => {
                write!(f, "{kind} `{name}` cannot be declared: {fault}")
            }
            Self::Differs { name, declared, given } => write!(
                f,
                "{kind} `{name}` is declared with {declared} and again with {given}, and the \
                 tighter of the two is in effect: declare it once, or give each its own name"
            ),
        }
    }
}

impl<S: Settings> std::error::Error for DeclareError<S> {}

/// Makes something answer to its name, unless it is faulty.
pub(crate) fn declare<T: Shared>(given: T) -> Result<&'static T, DeclareError<T::Settings>> {
    match given.fault() {
        None => registry::declare(given),
        Some(fault) => Err(DeclareError::Faulty { name: given.name().to_owned(), fault }),
    }
}
