//! Breakers whose names are known only at run time, and references by name.

use super::{Breaker, BreakerSettings};
use crate::isolation;
use crate::names::{self, DeclareError, NameRef, registry};

/// One place that refers to a breaker by name.
pub type NamedBreaker = NameRef<Breaker>;

impl NamedBreaker {
    /// The breaker that is in force under the name: the declared one, or else a default one that all
    /// references to the undeclared name share.
    #[inline]
    pub fn resolve(&self) -> &'static Breaker {
        self.found().here()
    }
}

impl Breaker {
    /// Makes this breaker answer to its name in the whole process, for names that are known only at
    /// run time; for all others there is [`breaker!`](crate::breaker!).
    ///
    /// The breaker lives as long as the process. Declaring the same settings again returns the breaker
    /// that is there, so it is safe to call this wherever it is needed. A name that was used before its
    /// declaration ran on a default breaker: from the next call on it runs on this one, which starts
    /// closed, unless the name was isolated by hand.
    ///
    /// # Errors
    ///
    /// [`DeclareError::Faulty`] if a setting cannot be honoured, [`DeclareError::Differs`] if the
    /// name is declared with other settings. The declaration that opens sooner is then in effect: after
    /// fewer calls that all time out, then at a smaller share of failures, then of slow calls, then
    /// the one with the longer window, then with the longer open time.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Breaker, BreakerSettings, DeclareError};
    ///
    /// # fn main() -> Result<(), DeclareError<BreakerSettings>> {
    /// let tenant = "acme";
    /// let breaker = Breaker::dynamic(format!("tenant-{tenant}")).consecutive(3).declare()?;
    /// let again = Breaker::dynamic("tenant-acme").consecutive(3).declare()?;
    /// assert!(std::ptr::eq(breaker, again));
    ///
    /// assert!(Breaker::dynamic("tenant-acme").consecutive(30).declare().is_err());
    /// # Ok(())
    /// # }
    /// ```
    pub fn declare(self) -> Result<&'static Self, DeclareError<BreakerSettings>> {
        names::declare(self)
    }

    /// The breaker that answers to this one's name by now: this one, unless the name was declared
    /// after its first use, or several times.
    ///
    /// ```standalone_crate
    /// # use retry_runtime as stormless;
    /// use stormless::{Breaker, breaker};
    ///
    /// breaker! { static ORDERS: Breaker = Breaker::new("orders"); }
    /// assert!(std::ptr::eq(ORDERS.in_effect(), &ORDERS));
    /// ```
    #[inline]
    pub fn in_effect(&'static self) -> &'static Self {
        match self.succession.lead() {
            Some(_) => self,
            None => registry::find_lead(self),
        }
    }

    /// The breaker that calls are to ask: the one [in effect](Self::in_effect), and in an isolated test
    /// that test's copy of it.
    #[doc(hidden)]
    #[inline]
    pub fn here(&'static self) -> &'static Self {
        isolation::own(self.in_effect())
    }
}
