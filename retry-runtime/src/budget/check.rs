//! Whether a budget was told something that it cannot do.

use super::Budget;
use crate::ConfigError;

impl Budget {
    /// The first setting that cannot be honoured. A budget with a fault works with the settings
    /// that it had before, or those of [`Budget::new`] if it never had any.
    ///
    /// # Errors
    ///
    /// The fault: a ratio that is NaN, negative or infinite, a zero, or a setting that belongs to
    /// another kind of budget.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Budget, ConfigError};
    ///
    /// assert_eq!(Budget::new("orders").ratio(-0.1).check(), Err(ConfigError::Ratio(-0.1)));
    /// ```
    pub const fn check(&self) -> Result<(), ConfigError> {
        match self.fault {
            Some(fault) => Err(fault),
            None => Ok(()),
        }
    }

    /// For the initializer of a `static`, where it turns a faulty setting into a compile error on
    /// the line that calls it; [`budget!`](crate::budget!) adds it by itself. At run time ask
    /// [`check`](Self::check).
    ///
    /// # Panics
    ///
    /// If [`check`](Self::check) returns an error. In a `static` that is the compile error:
    ///
    /// ```compile_fail,E0080
    /// # use retry_runtime as stormless;
    /// use stormless::Budget;
    /// static ORDERS: Budget = Budget::new("orders").burst(0).checked();
    /// ```
    /// ```compile_fail,E0080
    /// # use retry_runtime as stormless;
    /// use stormless::Budget;
    /// static ORDERS: Budget = Budget::new("orders").ratio(f64::NAN).checked();
    /// ```
    /// ```compile_fail,E0080
    /// # use retry_runtime as stormless;
    /// use stormless::Budget;
    /// static ORDERS: Budget = Budget::new("orders").min_samples(5).checked();
    /// ```
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Budget;
    /// static ORDERS: Budget = Budget::new("orders").burst(20).ratio(0.05).checked();
    /// ```
    #[must_use]
    #[track_caller]
    pub const fn checked(self) -> Self {
        if let Some(fault) = self.fault {
            panic!("{}", fault.requirement());
        }
        self
    }
}
