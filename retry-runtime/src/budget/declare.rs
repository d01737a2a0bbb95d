//! Budgets whose names are known only at run time.

use super::Budget;
use crate::isolation;
use crate::names::{self, DeclareError};

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
    ///
    /// ```standalone_crate
    /// # use retry_runtime as stormless;
    /// use stormless::{Budget, budget};
    ///
    /// budget! { static ORDERS: Budget = Budget::new("orders"); }
    /// assert!(std::ptr::eq(ORDERS.in_effect(), &ORDERS));
    /// ```
    pub fn in_effect(&'static self) -> &'static Self {
        self.current()
    }

    /// This budget's id, if a call that begins may take it as it is: it answers to its name, and nobody
    /// wants to hear of beginnings.
    #[inline]
    pub(crate) fn known_lead(&'static self) -> Option<u32> {
        self.succession.lead()
    }

    /// A call that begins is to ask again which budget answers to the name. Under the registry's lock.
    pub(crate) fn forget_lead(&self) {
        self.succession.unpublish();
        if let Some(keys) = self.options.keys.get() {
            keys.forget_leads();
        }
    }

    /// [`in_effect`](Self::in_effect), and that budget's id, for a call that begins. No lock is taken where the
    /// budget is known: each call that is traced comes by here.
    pub(crate) fn lead(&'static self) -> (&'static Self, u32) {
        match self.known_lead() {
            Some(id) => (self, id),
            None => self.find_lead(),
        }
    }

    #[cold]
    fn find_lead(&'static self) -> (&'static Self, u32) {
        let budget = names::registry::find_lead(self);
        if budget.wants_begins() {
            // It is never known to lead, so that each call comes by here.
            isolation::own(budget).begin_call();
        }
        (budget, budget.id())
    }
}
