//! Budgets that answer to their name without a start-up call.

/// Declares budgets in statics that answer to their names from anywhere in the process, without a
/// start-up call: they register themselves at link time.
///
/// Takes any number of statics, with attributes and visibility. A setting that cannot be honoured
/// is a compile error. One name declared twice with the same settings is one budget; if the
/// settings differ, the tighter declaration is in effect wherever either is used.
///
/// A crate that is a dependency but never named in code is not linked, and declares nothing.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Budget, budget};
///
/// budget! {
///     /// What retries towards the order service are paid from.
///     pub static ORDERS: Budget = Budget::new("orders").burst(10).ratio(0.1);
///     static SEARCH: Budget = Budget::sliding_window("search");
/// }
///
/// println!("{}", ORDERS.bound());
/// # assert_eq!(SEARCH.name(), "search");
/// ```
///
/// ```compile_fail,E0080
/// # use retry_runtime as stormless;
/// use stormless::{Budget, budget};
///
/// budget! { static ORDERS: Budget = Budget::new("orders").burst(0); }
/// ```
///
/// ```compile_fail,E0080
/// # use retry_runtime as stormless;
/// use stormless::{Budget, budget};
///
/// budget! { static ORDERS: Budget = Budget::new("orders").ratio(f64::INFINITY); }
/// ```
///
/// ```compile_fail,E0080
/// # use retry_runtime as stormless;
/// use stormless::{Budget, budget};
/// use std::time::Duration;
///
/// budget! { static ORDERS: Budget = Budget::new("orders").window(Duration::from_secs(5)); }
/// ```
#[macro_export]
macro_rules! budget {
    ($($(#[$attribute:meta])* $visibility:vis static $name:ident: $kind:ty = $budget:expr;)+) => {$(
        $crate::__shared_static! {
            BudgetEntry, $(#[$attribute])* $visibility static $name: $kind = $budget;
        }
    )+};
}
