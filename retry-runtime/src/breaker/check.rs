//! Whether a breaker was told something that it cannot do.

use super::Breaker;
use super::overrides::open_times;
use crate::ConfigError;

impl Breaker {
    /// The first setting that cannot be honoured. A breaker with a fault works with the settings that it
    /// had before, or those of [`Breaker::new`] if it never had any.
    ///
    /// # Errors
    ///
    /// The fault: a zero, a share that is not above 0 and at most 1, a growth below 1, or a `max_open`
    /// below `open_for`.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Breaker, ConfigError};
    /// use std::time::Duration;
    ///
    /// let breaker = Breaker::new("orders").open_for(Duration::ZERO);
    /// assert_eq!(breaker.check(), Err(ConfigError::ZeroDuration("open_for")));
    /// ```
    pub const fn check(&self) -> Result<(), ConfigError> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        open_times(&self.settings)
    }

    /// For the initializer of a `static`, where it turns a faulty setting into a compile error on
    /// the line that calls it; [`breaker!`](crate::breaker!) adds it by itself. At run time ask
    /// [`check`](Self::check).
    ///
    /// # Panics
    ///
    /// If [`check`](Self::check) returns an error. In a `static` that is the compile error:
    ///
    /// ```compile_fail,E0080
    /// # use retry_runtime as stormless;
    /// use stormless::Breaker;
    /// use std::time::Duration;
    /// static ORDERS: Breaker = Breaker::new("orders").open_for(Duration::ZERO).checked();
    /// ```
    /// ```compile_fail,E0080
    /// # use retry_runtime as stormless;
    /// use stormless::Breaker;
    /// use std::time::Duration;
    /// static ORDERS: Breaker = Breaker::new("orders").max_open(Duration::from_secs(1)).checked();
    /// ```
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Breaker;
    /// static ORDERS: Breaker = Breaker::new("orders").consecutive(3).checked();
    /// ```
    #[must_use]
    #[track_caller]
    pub const fn checked(self) -> Self {
        if let Err(fault) = self.check() {
            panic!("{}", fault.requirement());
        }
        self
    }
}
