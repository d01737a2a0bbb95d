//! Budgets whose names are known only at run time.

use super::registry;
use super::{Budget, BudgetSettings};
use crate::{ConfigError, isolation};

/// Why a declaration was not taken as it is.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DeclareError {
    /// A setting cannot be honoured; nothing was declared.
    #[error("budget `{name}` cannot be declared: {fault}")]
    #[non_exhaustive]
    Faulty {
        /// The name of the budget.
        name: String,
        /// The setting.
        fault: ConfigError,
    },
    /// The name is declared already, with other settings. The tighter of the two is in effect from
    /// the next call on: the one with the smaller steady share, then the smaller burst.
    #[error(
        "budget `{name}` is declared with {declared} and again with {given}, and the tighter of \
         the two is in effect: declare it once, or give each its own name"
    )]
    #[non_exhaustive]
    Differs {
        /// The name of both.
        name: &'static str,
        /// The settings that were in effect before.
        declared: Box<BudgetSettings>,
        /// The settings that were given now.
        given: Box<BudgetSettings>,
    },
}

impl Budget {
    /// Makes this budget answer to its name in the whole process, for names that are known only at
    /// run time; for all others there is [`budget!`](crate::budget!).
    ///
    /// The budget lives as long as the process. Declaring the same settings again returns the
    /// budget that is there, so it is safe to call this wherever the budget is needed. A name that
    /// was used before its declaration ran on a default bucket: from the next call on it runs on
    /// this one, and what was withdrawn until then is given back to where it came from.
    ///
    /// # Errors
    ///
    /// [`DeclareError::Faulty`] if a setting cannot be honoured, [`DeclareError::Differs`] if the
    /// name is declared with other settings.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Budget, DeclareError};
    ///
    /// # fn main() -> Result<(), DeclareError> {
    /// let tenant = "acme";
    /// let budget = Budget::dynamic(format!("tenant-{tenant}")).burst(5).declare()?;
    /// let again = Budget::dynamic("tenant-acme").burst(5).declare()?;
    /// assert!(std::ptr::eq(budget, again));
    ///
    /// assert!(Budget::dynamic("tenant-acme").burst(50).declare().is_err());
    /// # Ok(())
    /// # }
    /// ```
    pub fn declare(self) -> Result<&'static Self, DeclareError> {
        match self.check() {
            Ok(()) => registry::declare(self),
            Err(fault) => Err(DeclareError::Faulty { name: self.name().to_owned(), fault }),
        }
    }

    /// The budget that answers to this one's name by now: this one, unless the name was declared
    /// after its first use, or several times.
    pub fn in_effect(&'static self) -> &'static Self {
        self.current()
    }

    /// [`in_effect`](Self::in_effect), and that budget's id, for a call that begins.
    #[inline]
    pub(crate) fn lead(&'static self) -> (&'static Self, u32) {
        match self.succession.lead() {
            Some(id) => (self, id),
            None => self.find_lead(),
        }
    }

    #[cold]
    fn find_lead(&'static self) -> (&'static Self, u32) {
        registry::link();
        let budget = self.latest();
        let id = budget.id();
        if budget.wants_begins() {
            // It is never known to lead, so that each call comes by here.
            isolation::budget(budget).begin_call();
        } else if std::ptr::eq(budget, self) {
            registry::publish_lead(self, id);
        }
        (budget, id)
    }

    /// Each budget is superseded at most once, and only by one that is not, so this ends.
    pub(super) fn latest(&'static self) -> &'static Self {
        let mut budget = self;
        while let Some(next) = budget.succession.successor() {
            budget = next;
        }
        budget
    }
}
