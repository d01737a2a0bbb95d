//! Budgets whose names are known only at run time.

use super::Budget;
use crate::names::{self, DeclareError, registry};

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
        names::declare(self)
    }

    /// The budget that answers to this one's name by now: this one, unless the name was declared
    /// after its first use, or several times.
    pub fn in_effect(&'static self) -> &'static Self {
        self.lead().0
    }

    /// [`in_effect`](Self::in_effect), and that budget's id.
    #[inline]
    pub(crate) fn lead(&'static self) -> (&'static Self, u32) {
        match self.succession.lead() {
            Some(id) => (self, id),
            None => self.find_lead(),
        }
    }

    #[cold]
    fn find_lead(&'static self) -> (&'static Self, u32) {
        let budget = registry::find_lead(self);
        (budget, budget.id())
    }
}
